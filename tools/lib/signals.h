/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Signals, by one rule for all commands, which n3stat(1) describes: a signal that is ignored
 * when the program starts stays ignored.
 */
#ifndef LIB_SIGNALS_H
#define LIB_SIGNALS_H

#include <signal.h>

/* Called once, before any command. */
void signals_start(void);
/* Calls @handler at SIGINT, SIGTERM and SIGHUP, unless ignored. */
void signals_catch(void (*handler)(int sig));
/* The same signals as a set, to be waited for. */
void signals_to_wait_for(sigset_t *set);
/* In a child, before it executes a command: undoes signals_start(). */
void signals_restore(void);

#endif
