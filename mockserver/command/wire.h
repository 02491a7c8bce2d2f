/*
 * wire.h - what the stand-in (shim/main.c) and its host say to each other.
 *
 * A frame is one byte of kind, four bytes of length (little-endian) and the
 * payload. The stand-in only tells who it is and does what it is told: what
 * is written, and when, is decided by the host, whose clock is the run's.
 *
 *   stand-in: NAME ARG* ENV* LANE? HELLO, then DATA* STDIN_END when asked,
 *             one DONE for each WRITE_OUT, WRITE_ERR, EXIT and KILL
 *   host:     READ_STDIN STOP_STDIN IGNORE WRITE_OUT WRITE_ERR CLOSE_OUT
 *             CLOSE_ERR EXIT KILL
 *
 * A stand-in whose connection ends before EXIT or KILL has lost its host.
 * A host whose connection ends before the last DONE has lost its stand-in:
 * somebody killed it.
 */
#ifndef MOCKSERVER_COMMAND_WIRE_H
#define MOCKSERVER_COMMAND_WIRE_H

/* The socket's name in the folder that holds the commands. */
#define SHIM_SOCKET ".faultwire"
/* Names the lane of a start; without it the folder's own. */
#define SHIM_LANE "FAULTWIRE_LANE"

enum {
  SHIM_HEAD_BYTES = 5,
  /* Linux takes no argument above 128 KiB (MAX_ARG_STRLEN). */
  SHIM_MAX_PAYLOAD = 128 << 10,
  /* One write: fits into the send buffer of a socket. */
  SHIM_MAX_WRITE = 64 << 10,
  SHIM_EXIT_LOST = 70 /* EX_SOFTWARE of sysexits.h: the host is gone */
};

enum shim_frame {
  SHIM_NAME = 'n',      /* of the file that was started, without its folder */
  SHIM_ARG = 'a',       /* one word of argv */
  SHIM_ENV = 'e',       /* the name of one variable that is set */
  SHIM_LANE_IS = 'l',   /* the value of SHIM_LANE */
  SHIM_HELLO = 'h',     /* that was all */
  SHIM_DATA = 'd',      /* bytes of stdin */
  SHIM_STDIN_END = 'z', /* no more of them */
  SHIM_DONE = 'k',

  SHIM_READ_STDIN = 'R',
  SHIM_STOP_STDIN = 'S',
  SHIM_IGNORE = 'I', /* payload: one byte, the signal's number */
  SHIM_WRITE_OUT = '1',
  SHIM_WRITE_ERR = '2',
  SHIM_CLOSE_OUT = 'c',
  SHIM_CLOSE_ERR = 'C',
  SHIM_EXIT = 'X', /* payload: one byte, the exit code */
  SHIM_KILL = 'K'  /* payload: one byte, the signal's number */
};

#endif
