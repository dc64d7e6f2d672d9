// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The file "system/containers": records of fixed size, each a line of numbers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "containers_file.h"
#include "lib/memory.h"
#include "source.h"

#define VERSION		1
#define RECORD		256	/* bytes */
#define RECORDS		16	/* of a read: a page of sysfs */
#define MAX_RECORDS	65536	/* a file that never ends */
#define DIGITS		20
#define HEAD		8	/* numbers of record 0 */
#define NUMBERS		(5 + CONTAINERS_COUNTS)

static bool refused(struct source *source, size_t record)
{
	return failure_set(&source->failure, ERR_MALFORMED_FILE, "%s: record %zu is malformed",
			   source->path, record);
}

/* Aligned to the right and followed by a blank. Return: false if it is not a number. */
static bool take(const unsigned char *field, unsigned long long *number)
{
	size_t i = 0;

	*number = 0;
	while (i < DIGITS - 1 && field[i] == ' ')
		i++;
	for (; i < DIGITS; i++)
		if (!isdigit(field[i]) ||
		    __builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, field[i] - '0', number))
			return false;
	return field[DIGITS] == ' ';
}

static bool take_all(const unsigned char *record, unsigned long long numbers[], size_t nr)
{
	size_t at = 0;

	for (size_t i = 0; i < nr; i++, at += DIGITS + 1)
		if (!take(record + at, &numbers[i]))
			return false;
	while (at < RECORD - 1 && record[at] == ' ')
		at++;
	return at == RECORD - 1 && record[at] == '\n';
}

static bool take_head(struct source *source, struct containers_file *file,
		      const unsigned char *record)
{
	unsigned long long numbers[HEAD];

	if (!take(record, numbers))
		return refused(source, 0);
	if (numbers[0] != VERSION)
		return failure_set(&source->failure, ERR_UNKNOWN_VERSION,
				   "%s: the format of another version of the module",
				   source->path);
	if (!take_all(record, numbers, HEAD))
		return refused(source, 0);
	*file = (struct containers_file) {
		.switches = numbers[1], .evicted = numbers[2], .other = numbers[3],
		.other_ns = numbers[4], .dropped = numbers[5], .covered_ns = numbers[6],
		.busy_ns = numbers[7],
	};
	return true;
}

static bool take_record(struct source *source, struct containers_file *file,
			const unsigned char *record)
{
	struct containers_record *v;
	unsigned long long numbers[NUMBERS];

	if (file->nr == MAX_RECORDS || !take_all(record, numbers, NUMBERS))
		return refused(source, file->nr + 1);
	v = reallocarray(file->v, file->nr + 1, sizeof(*v));
	if (!v)
		return failure_no_memory(&source->failure);
	file->v = v;
	v += file->nr++;
	*v = (struct containers_record) {
		.id = numbers[0], .first_ns = numbers[1],
		.sums = { .pieces = numbers[2], .time_ns = numbers[3], .cycles = numbers[4] },
	};
	memcpy(v->sums.counts, &numbers[5], sizeof(v->sums.counts));
	return true;
}

/* An empty file has no record; *head indicates whether there is one. */
static bool read_records(struct source *source, struct containers_file *file, bool *head)
{
	unsigned char buf[RECORDS * RECORD];
	ssize_t len;
	off_t at = 0;

	*head = false;
	while ((len = source_read_at(source, CONTAINERS_FILE, buf, sizeof(buf), at)) > 0) {
		if (len % RECORD)
			return refused(source, (size_t)(at + len) / RECORD);
		for (ssize_t i = 0; i < len; i += RECORD) {
			if (!(*head ? take_record : take_head)(source, file, buf + i))
				return false;
			*head = true;
		}
		at += len;
	}
	return !len;
}

/* Return: false if the setting is 0, and with its reason without records. */
static bool is_on(struct source *source, bool head)
{
	char *setting;

	if (!source_read(source, CONTAINERS_SETTING, &setting))
		return false;
	if (!setting && !head)
		return failure_set(&source->failure, ERR_UNKNOWN_VERSION,
				   "%s does not exist: the module is older than this program",
				   source->path);
	if (setting && !strtoul(setting, NULL, 10))
		return failure_set(&source->failure, ERR_CONTAINERS_OFF,
				   "%s is 0: containers are not sampled; try: echo 125 >%s",
				   source->path, source->path);
	return head || failure_set(&source->failure, ERR_MALFORMED_FILE, "%s/%s has no record",
				   source->root, CONTAINERS_FILE);
}

static int compare(const void *a, const void *b)
{
	const struct containers_record *first = a, *second = b;

	if (first->id != second->id)
		return first->id < second->id ? -1 : 1;
	return first->first_ns < second->first_ns ? -1 : first->first_ns > second->first_ns;
}

/* An id may have got another entry while the file was read: the later one remains. */
static void sort(struct containers_file *file)
{
	size_t nr = 0;

	if (file->nr)
		qsort(file->v, file->nr, sizeof(*file->v), compare);
	for (size_t i = 0; i < file->nr; i++) {
		nr -= nr && file->v[nr - 1].id == file->v[i].id;
		file->v[nr++] = file->v[i];
	}
	file->nr = nr;
}

bool containers_file_read(struct source *source, struct containers_file *file)
{
	bool head;

	*file = (struct containers_file) { 0 };
	if (!read_records(source, file, &head) || !is_on(source, head)) {
		containers_file_free(file);
		return false;
	}
	sort(file);
	return true;
}

void containers_file_free(struct containers_file *file)
{
	free(file->v);
	*file = (struct containers_file) { 0 };
}

struct containers_sums containers_growth(const struct containers_file *before,
					 const struct containers_record *now)
{
	const struct containers_record *old = before->nr ?
		bsearch(now, before->v, before->nr, sizeof(*now), compare) : NULL;
	struct containers_sums growth = now->sums;

	if (!old || old->sums.pieces > now->sums.pieces)
		return growth;
	growth.pieces -= old->sums.pieces;
	growth.time_ns -= old->sums.time_ns;
	growth.cycles -= old->sums.cycles;
	for (size_t i = 0; i < CONTAINERS_COUNTS; i++)
		growth.counts[i] -= old->sums.counts[i];
	return growth;
}

void containers_add(struct containers_sums *to, const struct containers_sums *sums)
{
	to->pieces += sums->pieces;
	to->time_ns += sums->time_ns;
	to->cycles += sums->cycles;
	for (size_t i = 0; i < CONTAINERS_COUNTS; i++)
		to->counts[i] += sums->counts[i];
}
