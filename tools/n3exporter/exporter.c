// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The series of this machine as text, for all outputs. */
#include "exporter.h"

char *exporter_read(struct exporter *exporter, size_t *len, bool *ok)
{
	*ok = collect(exporter->source, &exporter->selection, &exporter->exposition);
	return exposition_text(&exporter->exposition, len);
}

char *exporter_read_and_warn(struct exporter *exporter, size_t *len, bool *ok)
{
	char *text = exporter_read(exporter, len, ok);
	const struct failure *failure = &exporter->source->failure;

	if (*ok) {
		exporter->reported = NULL;
		return text;
	}
	if (!failure->text)
		out_of_memory();
	if (failure->kind != exporter->reported)
		warn(failure->kind, "%s", failure->text);
	exporter->reported = failure->kind;
	return text;
}
