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
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "errors.h"
#include "lib/arguments.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/files.h"
#include "where.h"

#define OUTSIDE	UINT64_MAX
#define UNMAPPED	(UINT64_MAX - 1)	/* in the program, at no address of its ELF file */
#define EDGES_MAX	1048576	/* distinct edges: 96 MB */
#define INSTRUCTION	4	/* bytes */

struct edge {
	uint64_t from, to, count;
	uint32_t mispredicted;
	char kind;		/* B or F */
};

struct profile {
	struct spe_input input;
	struct spe_sources sources;
	const char *program, *output;
	struct spe_recording recording;
	struct spe_resolver resolver;
	uint32_t owner;			/* the program, as an owner of addresses */
	void *edges;			/* tree of tsearch() */
	size_t nr_edges;
	uint64_t *branches;		/* per file, to find the program */
	uint64_t records, used, dropped, elsewhere, previous, not_retired, unmapped;
};

static const char doc[] =
	"Extract the branches of a program from a recording, for llvm-bolt and perf2bolt (option "
	"-pa): taken branches with their mispredictions and, if records have the previous branch "
	"target, the straight runs in between."
	"\vThe default program is the one with the most branches. See n3stat-spe-profile(1).";

enum { OPTION_SYMFS = 256, OPTION_PROGRAM, OPTION_NO_DEBUGINFOD };

static const struct argp_option options[] = {
	{ "program", OPTION_PROGRAM, "PATH", 0, "the program or library, as it ran", 1 },
	{ "output", 'o', "FILE", 0, "output file (default: standard output)", 1 },
	{ "symfs", OPTION_SYMFS, "DIR", 0, "directory of programs and libraries", 2 },
	{ "no-debuginfod", OPTION_NO_DEBUGINFOD, NULL, 0,
	  "fetch no files, even if DEBUGINFOD_URLS is set", 2 },
	SPE_OPTIONS_INPUT,
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct profile *profile = state->input;

	switch (key) {
	case OPTION_PROGRAM:
		profile->program = arg;
		return 0;
	case 'o':
		profile->output = arg;
		return 0;
	case OPTION_SYMFS:
		profile->sources.root = arg;
		return 0;
	case OPTION_NO_DEBUGINFOD:
		profile->sources.no_debuginfod = true;
		return 0;
	default:
		return spe_input_parse(&profile->input, key, arg);
	}
}

static int compare_edges(const void *a, const void *b)
{
	const struct edge *left = a, *right = b;

	if (left->kind != right->kind)
		return left->kind - right->kind;
	if (left->from != right->from)
		return left->from < right->from ? -1 : 1;
	return (left->to > right->to) - (left->to < right->to);
}

static void add_edge(struct profile *profile, char kind, uint64_t from, uint64_t to,
		     bool mispredicted)
{
	struct edge key = { .from = from, .to = to, .kind = kind }, *edge, **found;

	found = tfind(&key, &profile->edges, compare_edges);
	if (!found && profile->nr_edges == EDGES_MAX) {
		profile->dropped++;
		return;
	}
	if (!found) {
		edge = memcpy(xcalloc(1, sizeof(key)), &key, sizeof(key));
		found = tsearch(edge, &profile->edges, compare_edges);
		if (!found)
			out_of_memory();
		profile->nr_edges++;
	}
	(*found)->count++;
	(*found)->mispredicted += mispredicted;
}

static bool is_branch(const struct spe_record *record)
{
	return spe_is_branch(record) && record->has & SPE_HAS_PC;
}

static bool is_taken(const struct spe_record *record)
{
	return record->has & SPE_HAS_TARGET && !spe_has_event(record, SPE_EVENT_NOT_TAKEN);
}

static void count_owner(const struct spe_sample *sample, void *context)
{
	struct profile *profile = context;
	struct spe_where where;

	if (!is_branch(sample->record) || !spe_has_event(sample->record, SPE_EVENT_RETIRED))
		return;
	where = spe_resolve(&profile->resolver, sample, sample->record->pc);
	if (where.owner >= SPE_OWNER_OBJECTS && where.owner < SPE_OWNER_PHYSICAL)
		profile->branches[where.owner - SPE_OWNER_OBJECTS]++;
}

/* Address in the ELF file, OUTSIDE if it belongs to another file or none, or UNMAPPED. */
static uint64_t address_in(struct profile *profile, const struct spe_sample *sample, uint64_t pc)
{
	struct spe_where where = spe_resolve(&profile->resolver, sample, pc);
	uint64_t address;

	if (where.owner != profile->owner)
		return OUTSIDE;
	return spe_elf_address(&profile->resolver, where.owner, where.address, &address) ?
	       address : UNMAPPED;
}

/* Operations that did not retire were on a mispredicted path. */
static void take_sample(const struct spe_sample *sample, void *context)
{
	const struct spe_record *record = sample->record;
	struct profile *profile = context;
	uint64_t pc, before, to = OUTSIDE;

	profile->records++;
	if (!is_branch(record))
		return;
	if (!spe_has_event(record, SPE_EVENT_RETIRED)) {
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
	if (pc == UNMAPPED || to == UNMAPPED) {
		profile->unmapped++;
		return;
	}
	profile->used++;
	if (is_taken(record))
		add_edge(profile, 'B', pc, to, spe_has_event(record, SPE_EVENT_MISPREDICTED));
	else if (spe_has_event(record, SPE_EVENT_NOT_TAKEN))
		add_edge(profile, 'F', pc, pc + INSTRUCTION, false);
	if (pc == OUTSIDE || !(record->has & SPE_HAS_PREVIOUS))
		return;
	/* The straight run from the previous branch target; OUTSIDE and UNMAPPED are above all. */
	before = address_in(profile, sample, record->previous);
	if (before <= pc) {
		profile->previous++;
		add_edge(profile, 'F', before, pc, false);
	}
}

/*
 * Return: the file with the most branches of those with this name, NULL for any, that are here if
 * @is_here; SIZE_MAX if none.
 */
static size_t most_branches(struct profile *profile, const char *name, bool is_here)
{
	const struct spe_objects *objects = &profile->recording.tasks.objects;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < objects->nr; i++)
		if ((!name || !strcmp(objects->v[i].name, name)) &&
		    (best == SIZE_MAX || profile->branches[i] > profile->branches[best]) &&
		    !(is_here && spe_is_other_file(&profile->resolver,
						   SPE_OWNER_OBJECTS + (uint32_t)i)))
			best = i;
	return best;
}

/* Several files of one path may have run; one of them exists now. */
static void find_program(struct profile *profile)
{
	size_t best = most_branches(profile, profile->program, false);
	const char *name = profile->program;

	if (best == SIZE_MAX && name)
		die(ERR_UNKNOWN_PROGRAM, "%s: no program %s ran", profile->input.name, name);
	if (best == SIZE_MAX || (!name && !profile->branches[best]))
		die(ERR_EMPTY_RECORDING, "%s: no branches of any program", profile->input.name);
	name = profile->recording.tasks.objects.v[best].name;
	best = most_branches(profile, name, true);
	if (best == SIZE_MAX)
		die(ERR_WRONG_BINARY, "%s%s: not the file that ran: its addresses are others "
		    "(--symfs?)", profile->sources.root, name);
	profile->owner = SPE_OWNER_OBJECTS + (uint32_t)best;
}

static void print_edge(const void *node, VISIT visit, void *out)
{
	const struct edge *edge = *(struct edge * const *)node;

	if (visit != postorder && visit != leaf)
		return;
	fprintf(out, "%c %s%" PRIx64, edge->kind, edge->from == OUTSIDE ? "X:" : "",
		edge->from == OUTSIDE ? 0 : edge->from);
	fprintf(out, " %s%" PRIx64 " %" PRIu64, edge->to == OUTSIDE ? "X:" : "",
		edge->to == OUTSIDE ? 0 : edge->to, edge->count);
	if (edge->kind == 'B')
		fprintf(out, " %" PRIu32, edge->mispredicted);
	fputc('\n', out);
}

/* Two passes: the program is that of the most branches among those of its name. */
static void read_branches(struct profile *profile)
{
	size_t nr = profile->recording.tasks.objects.nr;
	char *program;

	profile->branches = xcalloc(nr, sizeof(*profile->branches));
	spe_recording_samples(&profile->recording, count_owner, profile);
	find_program(profile);
	free(profile->branches);
	spe_recording_samples(&profile->recording, take_sample, profile);
	if (profile->nr_edges)
		return;
	program = spe_owner_name(&profile->resolver, profile->owner);
	if (profile->unmapped)
		die(ERR_CANNOT_READ, "%s%s: no ELF file with the code that ran: addresses are "
		    "unknown (--symfs?)", profile->sources.root, program);
	die(ERR_EMPTY_RECORDING, "%s: no branches of %s", profile->input.name, program);
}

static void print_summary(const struct profile *profile)
{
	char *program;

	spe_file_warn(&profile->recording.file);
	spe_resolver_warn(&profile->resolver, false);
	if (profile->dropped)
		warn(ERR_BRANCHES_DROPPED,
		     "%s: %" PRIu64 " branches left out: more than %d different ones",
		     profile->input.name, profile->dropped, EDGES_MAX);
	program = spe_owner_name(&profile->resolver, profile->owner);
	plain_text(program);
	fprintf(stderr, "%s: %" PRIu64 " branches of %" PRIu64 " records, %" PRIu64
		" with the branch before, %" PRIu64 " elsewhere", program, profile->used,
		profile->records, profile->previous, profile->elsewhere);
	if (profile->not_retired)
		fprintf(stderr, ", %" PRIu64 " not retired", profile->not_retired);
	if (profile->unmapped)
		fprintf(stderr, ", %" PRIu64 " at unknown addresses", profile->unmapped);
	fputc('\n', stderr);
	free(program);
}

int spe_command_profile(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "[FILE]", doc, NULL, NULL, NULL };
	struct profile profile = { .sources.root = "" };
	struct output output;

	arguments_parse(&argp, argc, argv, 0, &profile);
	spe_recording_open(&profile.recording, &profile.input);
	spe_resolver_init(&profile.resolver, &profile.recording, &profile.sources);
	read_branches(&profile);
	spe_file_create(&profile.recording.file, profile.output, "the profile", &output);
	twalk_r(profile.edges, print_edge, output.file);
	output_close(&output);
	print_summary(&profile);
	tdestroy(profile.edges, free);
	spe_resolver_free(&profile.resolver);
	spe_recording_close(&profile.recording);
	return EXIT_SUCCESS;
}
