/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Text from files, made safe for terminals. */
#ifndef LIB_PLAIN_H
#define LIB_PLAIN_H

/* Replaces invalid UTF-8 and control characters by '?'. */
void plain_text(char *text);

#endif
