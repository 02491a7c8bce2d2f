#include "mockserver/command/signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

const char *const command_signal_words[] = {
    "HUP",  "INT",  "QUIT", "ILL",  "ABRT", "BUS", "FPE",
    "KILL", "SEGV", "PIPE", "ALRM", "TERM", NULL};

static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,
                              SIGABRT, SIGBUS,  SIGFPE,  SIGKILL,
                              SIGSEGV, SIGPIPE, SIGALRM, SIGTERM};

int command_signal(const char *word)
{
  for (size_t i = 0; command_signal_words[i]; i++)
    if (strcmp(command_signal_words[i], word) == 0)
      return numbers[i];
  return 0;
}
