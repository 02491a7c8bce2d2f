/*
 * signals.h - signals by name, as scenarios write them: TERM, KILL ...
 */
#ifndef MOCKSERVER_COMMAND_SIGNALS_H
#define MOCKSERVER_COMMAND_SIGNALS_H

/* NULL-terminated. */
extern const char *const command_signal_words[];
/* Its number; the word is one of the list. */
int command_signal(const char *word);

#endif
