// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * n3stat spe profile: branches of a program for BOLT, in its pre-aggregated format. Each
 * line is one of
 *
 *	B from to count mispredicted	taken branches
 *	F from to count			straight runs, including the instruction at to
 *
 * with hexadecimal addresses of the ELF file; X:0 is elsewhere.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "edges.h"
#include "errors.h"
#include "lib/arguments.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/streams.h"
#include "where.h"

#define OUTSIDE	UINT64_MAX
#define INSTRUCTION	4	/* bytes */

struct profile_options {
	const char *file, *root, *program, *output;
	bool salvage;
};

struct profile {
	struct spe_recording recording;
	struct spe_resolver resolver;
	uint32_t owner;			/* the program, as an owner of addresses */
	struct spe_edges edges;
	uint64_t *branches;		/* per file, to find the program */
	uint64_t records, used, elsewhere, previous, not_retired;
};

static const char doc[] =
	"Extract the branches of a program from a recording, for llvm-bolt and perf2bolt (option "
	"-pa): taken branches with their mispredictions and, if records have the previous branch "
	"target, the straight runs in between."
	"\vThe default program is the one with the most branches. See n3stat-spe-profile(1).";

enum { OPTION_SALVAGE = 256, OPTION_SYMFS, OPTION_PROGRAM };

static const struct argp_option profile_arguments[] = {
	{ "program", OPTION_PROGRAM, "PATH", 0, "the program or library, as it ran", 1 },
	{ "output", 'o', "FILE", 0, "output file (default: standard output)", 1 },
	{ "symfs", OPTION_SYMFS, "DIR", 0, "directory of programs and libraries", 2 },
	{ "salvage", OPTION_SALVAGE, NULL, 0, "skip damaged parts of the file", 2 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct profile_options *profile = state->input;

	switch (key) {
	case OPTION_PROGRAM:
		profile->program = arg;
		return 0;
	case 'o':
		profile->output = arg;
		return 0;
	case OPTION_SYMFS:
		profile->root = arg;
		return 0;
	case OPTION_SALVAGE:
		profile->salvage = true;
		return 0;
	case ARGP_KEY_ARG:
		if (profile->file)
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		profile->file = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		die(ERR_MISSING_ARGUMENT, "profile needs a recording");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool has_event(const struct spe_record *record, enum spe_event event)
{
	return record->events >> event & 1;
}

static bool is_branch(const struct spe_record *record)
{
	return spe_is_branch(record) && record->has & SPE_HAS_PC;
}

static bool is_taken(const struct spe_record *record)
{
	return record->has & SPE_HAS_TARGET && !has_event(record, SPE_EVENT_NOT_TAKEN);
}

static void count_owner(const struct spe_sample *sample, void *context)
{
	struct profile *profile = context;
	struct spe_where where;

	if (!is_branch(sample->record) || !has_event(sample->record, SPE_EVENT_RETIRED))
		return;
	where = spe_resolve(&profile->resolver, sample, sample->record->pc);
	if (where.owner >= SPE_OWNER_OBJECTS && where.owner < SPE_OWNER_PHYSICAL)
		profile->branches[where.owner - SPE_OWNER_OBJECTS]++;
}

/* Address in the ELF file, OUTSIDE if it belongs to another file or none. */
static uint64_t address_in(struct profile *profile, const struct spe_sample *sample, uint64_t pc)
{
	struct spe_where where = spe_resolve(&profile->resolver, sample, pc);

	if (where.owner != profile->owner)
		return OUTSIDE;
	return spe_shown_address(&profile->resolver, where.owner, where.address);
}

/* The edge of a branch, taken or not. */
static void add_branch(struct profile *profile, const struct spe_record *record, uint64_t pc,
		       uint64_t to)
{
	profile->used++;
	if (is_taken(record))
		spe_edges_add(&profile->edges, SPE_EDGE_BRANCH, pc, to,
			      has_event(record, SPE_EVENT_MISPREDICTED));
	else if (has_event(record, SPE_EVENT_NOT_TAKEN))
		spe_edges_add(&profile->edges, SPE_EDGE_RUN, pc, pc + INSTRUCTION, false);
}

/* The straight run from the previous branch target to this branch. */
static void add_run(struct profile *profile, const struct spe_sample *sample, uint64_t pc)
{
	uint64_t before = address_in(profile, sample, sample->record->previous);

	if (before == OUTSIDE || before > pc)
		return;
	profile->previous++;
	spe_edges_add(&profile->edges, SPE_EDGE_RUN, before, pc, false);
}

/* Operations that did not retire were on a mispredicted path. */
static void take_sample(const struct spe_sample *sample, void *context)
{
	const struct spe_record *record = sample->record;
	struct profile *profile = context;
	uint64_t pc, to = OUTSIDE;

	profile->records++;
	if (!is_branch(record))
		return;
	if (!has_event(record, SPE_EVENT_RETIRED)) {
		profile->not_retired++;
		return;
	}
	pc = address_in(profile, sample, record->pc);
	if (is_taken(record))
		to = address_in(profile, sample, record->target);
	if (pc == OUTSIDE && to == OUTSIDE) {
		profile->elsewhere++;
		return;
	}
	add_branch(profile, record, pc, to);
	if (pc != OUTSIDE && record->has & SPE_HAS_PREVIOUS)
		add_run(profile, sample, pc);
}

/* Return: the file with the most branches, among those of this name or all. */
static size_t most_branches(const struct profile *profile, const char *name)
{
	const struct spe_objects *objects = &profile->recording.tasks.objects;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < objects->nr; i++)
		if ((!name || !strcmp(objects->v[i].name, name)) &&
		    (best == SIZE_MAX || profile->branches[i] > profile->branches[best]))
			best = i;
	return best;
}

static bool is_other(struct profile *profile, size_t number)
{
	return spe_is_other_file(&profile->resolver, SPE_OWNER_OBJECTS + (uint32_t)number);
}

/*
 * Several files of one path may have run; one of them exists now. Return: its index, SIZE_MAX if
 * none.
 */
static size_t present_file(struct profile *profile, size_t best)
{
	const struct spe_objects *objects = &profile->recording.tasks.objects;
	size_t found = SIZE_MAX;

	if (!is_other(profile, best))
		return best;
	for (size_t i = 0; i < objects->nr; i++)
		if (objects->v[i].first == objects->v[best].first && !is_other(profile, i) &&
		    (found == SIZE_MAX || profile->branches[i] > profile->branches[found]))
			found = i;
	return found;
}

static void find_program(struct profile *profile, const struct profile_options *options)
{
	const struct spe_objects *objects = &profile->recording.tasks.objects;
	size_t best = most_branches(profile, options->program), here;

	if (best == SIZE_MAX && options->program)
		die(ERR_UNKNOWN_PROGRAM,
		    "%s: no program %s ran", options->file, options->program);
	if (best == SIZE_MAX || (!options->program && !profile->branches[best]))
		die(ERR_EMPTY_RECORDING, "%s: no branches of any program", options->file);
	here = present_file(profile, best);
	if (here == SIZE_MAX)
		die(ERR_WRONG_BINARY, "%s%s: not the file that ran: its addresses are others "
		    "(--symfs?)", options->root, objects->v[best].name);
	profile->owner = SPE_OWNER_OBJECTS + (uint32_t)here;
}

static void print_address(FILE *out, uint64_t address)
{
	if (address == OUTSIDE)
		fputs(" X:0", out);
	else
		fprintf(out, " %" PRIx64, address);
}

static void print_edges(const struct profile *profile, FILE *out)
{
	size_t nr;
	const struct spe_edge *edges = spe_edges_sort(&profile->edges, &nr);

	for (size_t i = 0; i < nr; i++) {
		bool taken = edges[i].kind == SPE_EDGE_BRANCH;

		fputc(taken ? 'B' : 'F', out);
		print_address(out, edges[i].from);
		print_address(out, edges[i].to);
		fprintf(out, " %" PRIu64, edges[i].count);
		if (taken)
			fprintf(out, " %" PRIu32, edges[i].mispredicted);
		fputc('\n', out);
	}
}

/* Return: whether exactly one file matches, so that branches need not be counted. */
static bool is_unambiguous(const struct profile *profile, const char *name)
{
	const struct spe_objects *objects = &profile->recording.tasks.objects;

	for (size_t i = 0; name && i < objects->nr; i++)
		if (!strcmp(objects->v[i].name, name))
			return !objects->v[i].others;
	return false;
}

/* Two passes over the file if the program is not yet known. */
static void read_branches(struct profile *profile, const struct profile_options *options)
{
	size_t nr = profile->recording.tasks.objects.nr;

	profile->branches = xreallocarray(NULL, nr, sizeof(*profile->branches));
	memset(profile->branches, 0, nr * sizeof(*profile->branches));
	if (!is_unambiguous(profile, options->program)) {
		spe_recording_samples(&profile->recording, count_owner, profile);
		spe_recording_again(&profile->recording);
	}
	find_program(profile, options);
	free(profile->branches);
	spe_recording_samples(&profile->recording, take_sample, profile);
	if (!profile->edges.nr)
		die(ERR_EMPTY_RECORDING, "%s: no branches of %s", options->file,
		    spe_owner_name(&profile->resolver, profile->owner));
}

static void print_summary(const struct profile *profile, const struct profile_options *options)
{
	char *program;

	spe_file_warn(&profile->recording.file);
	spe_resolver_warn(&profile->resolver);
	if (profile->edges.dropped)
		warn(ERR_BRANCHES_DROPPED,
		     "%s: %" PRIu64 " branches left out: more than %d different ones",
		     options->file, profile->edges.dropped, SPE_EDGES_MAX);
	program = spe_owner_name(&profile->resolver, profile->owner);
	plain_text(program);
	fprintf(stderr, "%s: %" PRIu64 " branches of %" PRIu64 " records, %" PRIu64
		" with the branch before, %" PRIu64 " elsewhere", program, profile->used,
		profile->records, profile->previous, profile->elsewhere);
	if (profile->not_retired)
		fprintf(stderr, ", %" PRIu64 " not retired", profile->not_retired);
	fputc('\n', stderr);
	free(program);
}

int spe_command_profile(int argc, char **argv)
{
	static const struct argp argp = {
		profile_arguments, parse, "FILE", doc, NULL, NULL, NULL
	};
	struct profile_options options = { .root = "" };
	struct profile profile = { 0 };
	FILE *out = stdout;

	arguments_parse(&argp, argc, argv, 0, &options);
	spe_recording_open(&profile.recording, options.file, options.salvage);
	spe_resolver_init(&profile.resolver, &profile.recording, options.root, NULL);
	spe_edges_init(&profile.edges);
	read_branches(&profile, &options);
	if (options.output)
		out = spe_file_create(&profile.recording.file, options.output, "the profile");
	print_edges(&profile, out);
	flush_output(out);
	if (out != stdout && fclose(out))
		die(ERR_CANNOT_WRITE, "%s: %s", options.output, strerror(errno));
	print_summary(&profile, &options);
	spe_edges_free(&profile.edges);
	spe_resolver_free(&profile.resolver);
	spe_recording_close(&profile.recording);
	return EXIT_SUCCESS;
}
