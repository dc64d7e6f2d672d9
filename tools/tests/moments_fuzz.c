// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * moments_fuzz COUNT SEED FILE... - infers from mutations of these files, each the moments of a
 * CPU with its position in the list as its number. Sanitizers find what goes wrong; an error must
 * have an id. Prints how many were accepted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/disk.h"
#include "libn3t/spec.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/infer.h"
#include "libn3telemetry/source.h"
#include "libn3telemetry/stats/quality.h"

#define MAX_FILES	8
#define MAX_BYTES	262144
#define METRICS		4	/* looked at in each mutation */

static struct {
	unsigned char data[MAX_BYTES];
	size_t len;
} files[MAX_FILES], mutated[MAX_FILES];
static unsigned int nr_files, nr_mutated;
static unsigned long long state;

static unsigned int below(unsigned int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 16) % limit;
}

/* The library's disk: the mutated files. */
int disk_find_directory(const char *path)
{
	(void)path;
	return 0;
}

ssize_t disk_list(const char *path, char ***names)
{
	(void)path;
	*names = calloc(nr_mutated + 1, sizeof(**names));
	for (unsigned int i = 0; i < nr_mutated; i++)
		if (asprintf(&(*names)[i], "cpu%u", i) < 0)
			abort();
	return nr_mutated;
}

/* The descriptor is the number of the CPU. */
int disk_open(const char *path)
{
	const char *cpu = strstr(path, "cpu");

	return cpu ? atoi(cpu + 3) : -ENOENT;
}

ssize_t disk_read_at(int fd, char *buf, size_t size, off_t at)
{
	size_t left = (size_t)at < mutated[fd].len ? mutated[fd].len - at : 0;

	if (left > size)
		left = size;
	memcpy(buf, mutated[fd].data + at, left);
	return left;
}

void disk_close(int fd)
{
	(void)fd;
}

static void mutate_word(unsigned char *word)
{
	static const unsigned long long special[] = { 0, 1, 0x7fffffffffffffff, 0x8000000000000000,
						      0xffffffffffffffff, 1ull << 59, 1ull << 40 };
	unsigned long long value;

	memcpy(&value, word, sizeof(value));
	switch (below(4)) {
	case 0:
		value = special[below(7)];
		break;
	case 1:
		value ^= 1ull << below(64);
		break;
	case 2:
		value += (long long)below(33) - 16;
		break;
	default:
		value = state;
	}
	memcpy(word, &value, sizeof(value));
}

/* The head of a record and the first record are hit as often as all the sums. */
static void mutate(unsigned int nr)
{
	size_t len = files[nr].len, at;

	memcpy(mutated[nr].data, files[nr].data, len);
	mutated[nr].len = below(64) ? len : below(len + 1);
	for (unsigned int times = below(6); times; times--) {
		at = below(2) ? below(len) : below(400);
		if (below(2))
			mutate_word(mutated[nr].data + (at & ~7ul) % (len - 8));
		else
			mutated[nr].data[at % len] = below(3) ? state : 255 * below(2);
	}
}

static void look_at(struct inference *inference)
{
	struct n3t_quality quality;
	char text[4096];

	for (unsigned int i = 0; i < METRICS; i++) {
		unsigned int metric = below(N3T_NR_METRICS);

		infer_quality(inference, metric, &quality);
		n3t_quality_print(text, sizeof(text), metric, &quality);
	}
	if (!below(4))
		infer_bottleneck(inference, text, sizeof(text));
}

static bool try_one(struct source *source)
{
	struct place place = place_make(below(2) ? SCOPE_CPU : SCOPE_SYSTEM, 0);
	struct inference *inference;
	bool accepted;

	nr_mutated = place.scope == SCOPE_CPU ? 1 : 1 + below(nr_files);
	for (unsigned int i = 0; i < nr_mutated; i++)
		mutate(i);
	infer_forget(source);
	accepted = infer_begin(source, &place, &inference);
	if (!accepted && (!source->failure.kind || !source->failure.kind->id))
		abort();
	if (accepted && inference)
		look_at(inference);
	return accepted;
}

static bool load(const char *name)
{
	FILE *file = fopen(name, "r");

	if (!file || nr_files == MAX_FILES)
		return false;
	files[nr_files].len = fread(files[nr_files].data, 1, MAX_BYTES, file);
	fclose(file);
	return files[nr_files++].len >= 4096;
}

int main(int argc, char **argv)
{
	static struct source source;
	unsigned long count, accepted = 0;

	if (argc < 4 || !catalog_init())
		return EXIT_BAD_USAGE;
	count = strtoul(argv[1], NULL, 10);
	state = 0x9e3779b97f4a7c15 ^ strtoul(argv[2], NULL, 10);
	for (int i = 3; i < argc; i++)
		if (!load(argv[i]))
			return EXIT_OTHER;
	source_open(&source, "copy");
	for (unsigned long i = 0; i < count; i++)
		accepted += try_one(&source);
	source_close(&source);
	printf("%lu of %lu accepted\n", accepted, count);
	return 0;
}
