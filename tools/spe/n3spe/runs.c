// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Records of the kernel about tasks in the order of time. */
#include <stdlib.h>

#include "lib/memory.h"
#include "runs.h"

/* A run that is being read. */
struct reading {
	struct spe_records records;
	struct spe_perf_record record;	/* the next one */
};

struct spe_run {
	uint64_t time;			/* of its first record */
	uint64_t start, end;		/* places in the file */
	struct reading *reading;	/* NULL before and after */
};

static bool is_about_tasks(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_LOST:
		return true;
	default:
		return false;
	}
}

void spe_runs_learn(struct spe_runs *runs, const struct spe_perf_record *record)
{
	struct spe_run *last = runs->nr ? &runs->v[runs->nr - 1] : NULL;

	if (!is_about_tasks(record->header.type))
		return;
	if (!last || record->id.time < runs->last) {
		runs->v = xgrow(runs->v, runs->nr, &runs->max, sizeof(*runs->v));
		last = &runs->v[runs->nr++];
		*last = (struct spe_run) { .time = record->id.time, .start = record->at };
	}
	runs->last = record->id.time;
	last->end = record->at + record->header.size;
}

/* By time; those of one time, such as the state before the recording, as in the file. */
static int compare_runs(const void *a, const void *b)
{
	const struct spe_run *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->start > right->start) - (left->start < right->start);
}

void spe_runs_ready(struct spe_runs *runs, const struct spe_file *file)
{
	runs->file = file;
	if (runs->nr)
		qsort(runs->v, runs->nr, sizeof(*runs->v), compare_runs);
}

static void close_run(struct spe_run *run)
{
	if (run->reading)
		spe_records_free(&run->reading->records);
	free(run->reading);
	run->reading = NULL;
}

void spe_runs_rewind(struct spe_runs *runs)
{
	for (size_t i = 0; i < runs->open.nr; i++)
		close_run(&runs->v[runs->open.v[i].number]);
	spe_heap_free(&runs->open);
	runs->next = 0;
	runs->to_advance = false;
}

void spe_runs_free(struct spe_runs *runs)
{
	spe_runs_rewind(runs);
	free(runs->v);
}

/* Return: whether the run has a further record; else it is closed. */
static bool advance(struct spe_run *run)
{
	struct reading *reading = run->reading;

	while (spe_records_next(&reading->records, &reading->record))
		if (is_about_tasks(reading->record.header.type))
			return true;
	close_run(run);
	return false;
}

/* Opens all runs that start before the next record of the open ones. */
static void open_due(struct spe_runs *runs)
{
	while (runs->next < runs->nr) {
		struct spe_run *run = &runs->v[runs->next];

		if (runs->open.nr && runs->open.v->time < run->time)
			return;
		run->reading = xcalloc(1, sizeof(*run->reading));
		spe_records_init(&run->reading->records, runs->file, run->start, run->end);
		if (advance(run))
			spe_heap_push(&runs->open, (struct spe_due) { run->time, runs->next });
		runs->next++;
	}
}

bool spe_runs_next(struct spe_runs *runs, uint64_t time, struct spe_perf_record *record)
{
	if (runs->to_advance) {
		struct spe_run *run = &runs->v[runs->open.v->number];

		runs->to_advance = false;
		if (advance(run))
			spe_heap_move(&runs->open, run->reading->record.id.time);
		else
			spe_heap_pop(&runs->open);
	}
	open_due(runs);
	if (!runs->open.nr || runs->open.v->time > time)
		return false;
	*record = runs->v[runs->open.v->number].reading->record;
	runs->to_advance = true;
	return true;
}
