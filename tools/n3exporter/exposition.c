// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Series in Prometheus's text format 0.0.4. */
#include <stdio.h>
#include <string.h>

#include "exposition.h"
#include "lib/memory.h"
#include "lib/program.h"

#define PREFIX		"n3_telemetry_"
#define BUILD_INFO	"n3_exporter_build_info"

static const struct {
	const char *name;
	const char *type;
	const char *help;
} families[] = {
#define FAMILY(id, name, type, help)	{ PREFIX name, type, help },
#include "n3exporter/families.def.h"
#undef FAMILY
};

void exposition_clear(struct exposition *exposition)
{
	for (size_t i = 0; i < FAMILY_NR; i++)
		exposition->families[i].len = 0;
	exposition->nr = 0;
}

void exposition_free(struct exposition *exposition)
{
	for (size_t i = 0; i < FAMILY_NR; i++)
		free(exposition->families[i].text);
	*exposition = (struct exposition) { 0 };
}

static void append(struct samples *samples, const char *text)
{
	size_t len = strlen(text);

	if (samples->max - samples->len < len) {
		samples->max = 2 * samples->max + len;
		samples->text = xreallocarray(samples->text, samples->max, 1);
	}
	memcpy(samples->text + samples->len, text, len);
	samples->len += len;
}

void exposition_add(struct exposition *exposition, enum family family, const char *labels,
		    const char *place, const char *value)
{
	struct samples *samples = &exposition->families[family];

	append(samples, families[family].name);
	if (*labels || *place) {
		append(samples, "{");
		append(samples, labels);
		append(samples, *labels && *place ? "," : "");
		append(samples, place);
		append(samples, "}");
	}
	append(samples, " ");
	append(samples, value);
	append(samples, "\n");
	exposition->nr++;
}

char *exposition_text(const struct exposition *exposition, size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	if (!out)
		out_of_memory();
	for (size_t i = 0; i < FAMILY_NR; i++) {
		if (!exposition->families[i].len)
			continue;
		fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", families[i].name, families[i].help,
			families[i].name, families[i].type);
		fwrite(exposition->families[i].text, 1, exposition->families[i].len, out);
	}
	fprintf(out, "# HELP " BUILD_INFO " Version of the exporter; the value is 1.\n"
		"# TYPE " BUILD_INFO " gauge\n" BUILD_INFO "{version=\"%s\"} 1\n", program_version);
	if (ferror(out) || fclose(out))
		out_of_memory();
	return text;
}
