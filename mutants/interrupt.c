#include "mutants/interrupt.h"

#include "base/file.h"
#include "mutants/outcome.h"
#include "mutants/program.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
  sigset_t signals;
  const char *folder;
} watched;

static void *wait_for_signal(void *unused)
{
  int number = 0;
  (void)unused;
  while (sigwait(&watched.signals, &number) != 0)
    ;
  children_end_all(true);
  if (watched.folder)
    file_remove_tree(watched.folder);
  fprintf(stderr, "faultwire mutate: ended by signal %d\n", number);
  _exit(GATE_INTERRUPTED);
}

int interrupt_watch(const char *folder, struct diag *diag)
{
  pthread_t thread;
  watched.folder = folder;
  sigemptyset(&watched.signals);
  sigaddset(&watched.signals, SIGINT);
  sigaddset(&watched.signals, SIGTERM);
  sigaddset(&watched.signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &watched.signals, NULL);
  int error = pthread_create(&thread, NULL, wait_for_signal, NULL);
  if (error)
    return diag_set(diag, "cannot start a thread: %s", strerror(error));
  pthread_detach(thread);
  return 0;
}
