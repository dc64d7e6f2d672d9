/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The limit of open files. */
#ifndef LIB_LIMITS_H
#define LIB_LIMITS_H

/* With many CPUs, more files stay open than the usual limit of 1024 lets. */
void limits_raise(void);
/* Undoes that in a child before exec(). */
void limits_restore(void);

#endif
