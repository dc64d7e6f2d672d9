// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Facts about the source: core, simulated counts, window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "about.h"
#include "lib/keys.h"

const char *other_core_of(const char *spec, size_t *len)
{
	const char *core = find_value(spec, "core", len);

	return core && memmem(core, *len, OTHER_CORE, strlen(OTHER_CORE)) ? core : NULL;
}

bool spec_is_simulated(const char *spec)
{
	return key_has(spec, "simulated", "1");
}

bool pmu_is_simulated(const char *pmu)
{
	return !strncmp(pmu, "n3_sim", 6) || strstr(pmu, " n3_sim");
}

const struct about *source_about(struct source *source)
{
	struct about *about = &source->about;
	const char *core;
	size_t len;
	char *spec;

	if (about->is_known)
		return about;
	if (!source_read(source, "spec", &spec))
		return NULL;
	*about = (struct about) { .is_known = true };
	if (!spec)
		return about;
	about->simulated = spec_is_simulated(spec);
	core = other_core_of(spec, &len);
	if (core)
		snprintf(about->other_core, sizeof(about->other_core), "%.*s", (int)len, core);
	return about;
}

bool window_seconds(struct source *source, double *seconds)
{
	double ms;
	char *text;

	if (!source_read(source, "window_ms", &text))
		return false;
	ms = text ? strtod(text, NULL) : 0;
	*seconds = ms >= 10 && ms < 1e9 ? ms / 1000 : DEFAULT_WINDOW;
	return true;
}
