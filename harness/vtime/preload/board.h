/*
 * board.h - what the shared object in a client and the coordinator write for
 * each other: which threads wait until when, and which timers run. It lies
 * behind the clock page in the same file.
 *
 * The rule: a slot belongs to its thread. The thread takes it to SLOT_WAITS
 * before it waits in the kernel, the coordinator from there to SLOT_WOKEN,
 * the thread back to SLOT_RUNS. A slot alone proves nothing: /proc is asked
 * whether its thread sleeps, and in which call. The coordinator alone frees
 * those of threads that have gone. A timer is written by whoever has taken it
 * to TIMER_BUSY; as with SLOT_TAKEN, its pid may still be its last owner's.
 */
#ifndef VTIME_PRELOAD_BOARD_H
#define VTIME_PRELOAD_BOARD_H

#include <stdatomic.h>
#include <stdint.h>

/* The shared object's name, beside the program; and the variable that tells
 * it the path of the page. */
#define BOARD_OBJECT "libfaultwire-clock.so"
#define BOARD_VARIABLE "FAULTWIRE_CLOCK"
/* The name of the page's file in /proc/PID/maps. */
#define BOARD_MAPPED "memfd:faultwire-clock"

#define BOARD_MAGIC UINT32_C(0x32745646)
#define BOARD_VERSION 2

/* The signal that ends a wait in the kernel: the third but last, which the
 * libraries and programs that use such signals count up to last. */
enum { BOARD_KICK = 62 };

enum { BOARD_SLOTS = 1024, BOARD_TIMERS = 256, BOARD_GIVEN_UP = 64 };

enum { SLOT_FREE, SLOT_RUNS, SLOT_WAITS, SLOT_WOKEN, SLOT_TAKEN };

/* How a wait is ended. */
enum {
  SLOT_BY_WORD,  /* its word is set and woken */
  SLOT_BY_KICK,  /* the signal */
  SLOT_BY_ITSELF /* it looks often */
};

struct board_slot {
  _Atomic uint32_t state;
  _Atomic uint32_t word;    /* futex of SLOT_BY_WORD */
  _Atomic uint32_t entered; /* waits so far, from 1 */
  _Atomic int32_t pid, tid;
  _Atomic int32_t how, nr;     /* the system call it waits in */
  _Atomic int64_t deadline_ns; /* virtual monotonic time; INT64_MAX: none */
  _Atomic int64_t asked_ns;
};

enum { TIMER_FREE, TIMER_OFF, TIMER_ON, TIMER_BUSY };
enum { TIMER_INTERVAL, TIMER_POSIX, TIMER_FD };

struct board_timer {
  _Atomic uint32_t state;
  int32_t kind, pid;
  int32_t id; /* the descriptor; else of no meaning */
  int32_t tid, signo, clk;
  _Atomic uint32_t due; /* a descriptor its own process has to make ready */
  uint64_t value;       /* goes with the signal */
  int64_t deadline_ns, interval_ns, asked_ns;
};

/* A process that does what is not emulated. */
struct board_given_up {
  _Atomic int32_t pid;
  _Atomic int32_t what; /* GIVEN_UP_... */
};
enum { GIVEN_UP_SLOTS, GIVEN_UP_TIMERS };

struct board {
  uint32_t magic, version, size;
  int32_t coordinator;   /* its process */
  _Atomic uint32_t poke; /* futex the coordinator sleeps on */
  _Atomic uint32_t sleeps;
  _Atomic uint64_t waits; /* entered so far */
  _Atomic uint32_t high;  /* slots in use are below */
  /* a thread found no slot: set by it, 0 again when all were looked at */
  _Atomic uint32_t crowded;
  struct board_given_up given_up[BOARD_GIVEN_UP];
  struct board_timer timer[BOARD_TIMERS];
  struct board_slot slot[BOARD_SLOTS];
};

#endif
