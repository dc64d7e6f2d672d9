/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The decision tree as text, for n3stat find. */
#ifndef N3STAT_TREE_H
#define N3STAT_TREE_H

#include "reader/options.h"

/* Metric of the answer at the first place, from which the command follows that finds the code. */
struct tree_end {
	const char *metric;	/* NULL: none */
	struct place place;
	char *where;		/* as in struct advice_facts; the caller frees it */
};

/* Prints the trees of n3stat tree with these options. */
void tree_print(const struct options *options, struct tree_end *end);

#endif
