/*
 * found.h - what `faultwire init` can find out by itself about a folder: whose
 * API the client calls, how it is started, what else is there.
 *
 * Looking (look.c) and writing (write.c) are apart: the text of a project
 * file is a pure function of what was found.
 */
#ifndef HARNESS_INIT_FOUND_H
#define HARNESS_INIT_FOUND_H

#include "base/buf.h"
#include "base/diag.h"

enum { FOUND_WORDS = 16 };

struct found {
  const char *provider;          /* NULL: not found */
  const char *sign;              /* the word that told it */
  const char *note;              /* NULL: none */
  char *sign_file;               /* in which it stood; owned */
  char *client[FOUND_WORDS + 1]; /* owned words, NULL-terminated */
  char *client_from;             /* the file that told it, or NULL; owned */
  const char *build;             /* what makes the program first, or NULL */
  const char *command; /* it starts this command instead of an API call */
  const char *ci;      /* the CI system, or NULL */
  bool github;
  const char *policy; /* a policy file that is there, or NULL */
};

/* Looks at `folder` and no further down than its CI files; reads, never
 * runs anything. The caller releases. */
int found_look(struct found *ret, const char *folder, struct diag *diag);
void found_release(struct found *f);

/* `word` stands in `text` as a word of its own, or begins a longer path. */
bool found_word(struct bytes text, const char *word);

/* How the client in `folder` is started (client.c). */
void found_client(struct found *f, const char *folder);

/* The project file's text, with comments. */
void found_write(const struct found *f, struct buf *ret);

#endif
