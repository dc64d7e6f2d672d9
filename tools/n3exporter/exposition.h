/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Series in Prometheus's text format 0.0.4. */
#ifndef N3EXPORTER_EXPOSITION_H
#define N3EXPORTER_EXPOSITION_H

#include <stddef.h>

enum family {
#define FAMILY(id, name, type, help)	FAMILY_##id,
#include "n3exporter/families.def.h"
#undef FAMILY
	FAMILY_NR
};

/* Samples of a family, which must not be mixed with those of others. */
struct samples {
	char *text;
	size_t len;
	size_t max;
};

struct exposition {
	struct samples families[FAMILY_NR];
	size_t nr;		/* samples of all families */
};

/* Keeps the memory. */
void exposition_clear(struct exposition *exposition);
void exposition_free(struct exposition *exposition);
/* Adds a sample. @labels is "" or as in state="sampled", @place "" or as in cpu="0". */
void exposition_add(struct exposition *exposition, enum family family, const char *labels,
		    const char *place, const char *value);
/*
 * Return: the whole text, which the caller frees, with the exporter's version. Families without
 * samples are left out.
 */
char *exposition_text(const struct exposition *exposition, size_t *len);

#endif
