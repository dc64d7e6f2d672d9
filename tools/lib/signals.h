/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Signals and the limit of open files, common to all commands: a signal that is ignored when the
 * program starts stays ignored.
 */
#ifndef LIB_SIGNALS_H
#define LIB_SIGNALS_H

#include <signal.h>

/* Called once, before any command. */
void signals_start(void);
/* Calls @handler at SIGINT, SIGTERM and SIGHUP, unless ignored. */
void signals_catch(void (*handler)(int sig));
/* The same signals as a set, for sigwait() and the like. */
void signals_to_wait_for(sigset_t *set);
/* Undoes signals_start() in a child before exec(). */
void signals_restore(void);

#endif
