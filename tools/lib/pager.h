/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Pager for long output on a terminal, as in git. */
#ifndef LIB_PAGER_H
#define LIB_PAGER_H

#include <stdio.h>

/*
 * Pipes the standard output, and errors that also go to the terminal, through $PAGER or less.
 * Return: the pager; NULL without a terminal or pager.
 */
FILE *pager_start(void);
/* Waits until the user quits it, after the last output. */
void pager_wait(FILE *pager);

#endif
