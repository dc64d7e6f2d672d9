/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Notices above values that are not counts of a Neoverse N3. */
#ifndef CLI_NOTICES_H
#define CLI_NOTICES_H

#include <stdio.h>

/* Prints a line if counts are simulated. Return: the number of lines. */
size_t print_simulated(FILE *out);
/* Prints a line if the core is not a Neoverse N3. */
void print_other_core(FILE *out);

#endif
