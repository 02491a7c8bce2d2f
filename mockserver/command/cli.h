/*
 * cli.h - one command-line client of an LLM as its users see it: what it
 * prints, on which stream, and how it ends.
 *
 * Every text is what the program was measured or reported to print, with the
 * versions it was seen on; docs/shim.md lists the sources, and
 * tests/fixtures/command.json compares each with recorded bytes. The tables
 * are the server's own: nothing is shared with the client side (lib/guard).
 */
#ifndef MOCKSERVER_COMMAND_CLI_H
#define MOCKSERVER_COMMAND_CLI_H

#include "mockserver/command/pieces.h"
#include "mockserver/ids.h"

enum command_format {
  COMMAND_TEXT,
  COMMAND_JSON,
  COMMAND_STREAM_JSON,
  NCOMMAND_FORMATS
};
/* "text", "json", "stream-json"; NULL-terminated. */
extern const char *const command_format_words[];

/*
 * One way of saying one thing. Rows of the same `says` stand in the order of
 * their versions; a version gets the last row that is not above it. Texts
 * hold the values of value.h, and besides them, of the moment the limit ends,
 * {{clock}} (4:24am), {{day_clock}} (Dec 3, 1:39am), {{day_at_clock}} (Dec 3
 * at 1am), {{date_clock}} (Dec 3rd, 2026 5:22 AM), {{zone}} and {{left}} (3
 * hours 2 minutes); and {{message}}, {{message_json}} (for the inside of a
 * JSON string) and {{gateway}} (host and port of the server).
 */
struct command_text {
  const char *says;    /* NULL ends a table */
  const char *since;   /* first version known to say it so */
  const char *seen;    /* versions it was seen on */
  const char *text;    /* without the line's end */
  const char *message; /* of {{message}}, when the step gives none */
  const char *prefix;  /* codex: before the text; NULL: "ERROR: " */
  const char *error;   /* word of the machine formats; NULL: "unknown" */
  const char *window;  /* claude: the limit's name in rate_limit_event */
  int status;          /* of the answer behind it, 0: there was none */
  bool retried;        /* the program tries again before it says so */
  bool ends_well;      /* exit 0, though nothing is right */
  bool cut;            /* the stream ended early: no result at all */
};

/* One answer about to be written. */
struct command_render {
  const struct command_text *row; /* NULL: all went well */
  const char *version;            /* such as 2.1.332, never a pattern */
  enum command_format format;
  int64_t retries;   /* how many of them the machine formats tell */
  struct bytes text; /* of the row with its values, or the model's */
  int64_t reset_epoch_s;
  char session[40], uuid[40]; /* ids in the form of a UUID */
};

struct command_cli {
  const char *name;
  const char *summary; /* one sentence */
  const char *newest;  /* version that is meant when none is told */
  /* around the version in the line of --version */
  const char *version_head, *version_tail;
  const struct command_text *texts;
  enum command_format (*format)(const char *const *argv, size_t argc);
  /* Appends what is written, and the end. */
  void (*write)(const struct command_render *r, struct pieces *ret);
};

/* All of clis.def, NULL-terminated. */
extern const struct command_cli *const command_clis[];
/* NULL: a command without a table. */
const struct command_cli *command_cli_find(const char *name);
/* The row for a version (exact); NULL: the program never said such a thing,
 * or not yet. */
const struct command_text *command_text_find(const struct command_cli *cli,
                                             const char *says,
                                             const char *version);

/* The word behind one of two options in `argv`, in its own word or behind
 * "="; NULL: neither is there. */
const char *command_option(const char *const *argv, size_t argc,
                           const char *name, const char *other);
enum command_format command_format_of(const char *word);

/* Below, equal, above: negative, 0, positive; by numbers between dots. */
int command_version_compare(const char *a, const char *b);
/* Digits between dots, at most 4 of them of at most 6 digits; the last may be
 * "x". */
bool command_version_right(const char *text);

#endif
