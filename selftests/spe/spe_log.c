// SPDX-License-Identifier: GPL-2.0
/*
 * The log of all samples kept by the emulated machine with SPE, CPU by CPU:
 *
 *	spe_log clear CPU		empties it
 *	spe_log fates CPU		fates of the samples: "KEY NUMBER" lines
 *	spe_log raw CPU			the written records, one after another
 *	spe_log check CPU [FILTER]...	whether exactly the samples that match the filters
 *					have passed: branch, load, store, event=MASK,
 *					inv_event=MASK, min_latency=N; "KEY NUMBER" lines
 *	spe_log interval CPU		number of operations between two samples: FROM TO
 *	spe_log set CPU [collide=N] [fault=N] [lose=N]
 *					one in N samples collides, one in N writes faults, one
 *					in N full buffers loses a record; 0: none
 */
#define _GNU_SOURCE
#include <sched.h>

#include "spe_input.h"
#include "spe_record.h"

/* See QEMU's target/arm/spe.c for the registers and these numbers */
enum fate { WRITTEN, FILTERED, COLLISION, LOST_FULL, LOST_FAULT, DISCARDED, FATES };

static const char * const fate_names[FATES] = {
	"written", "filtered", "collision", "lost_full", "lost_fault", "discarded",
};

#define get(name) ({				\
	unsigned long value_;			\
						\
	asm volatile("mrs %0, " name : "=r"(value_));	\
	value_;					\
})
#define set(name, value) ({						\
	unsigned long value_ = value;					\
									\
	asm volatile("msr " name ", %0\n\tisb" : : "r"(value_));	\
})

#define LOGGED "S3_3_C15_C8_0"
#define SIZE "S3_3_C15_C8_1"
#define SELECTED "S3_3_C15_C8_2"

struct sample {
	unsigned char record[SPE_RECORD];
	unsigned long op, fate;
};

struct filters {
	bool branch, load, store;
	unsigned long event, inv_event, min_latency;
};

static struct sample read_sample(unsigned long i)
{
	struct sample s;
	unsigned long words[SPE_RECORD / 8];

	set(SELECTED, i);
	words[0] = get("S3_3_C15_C9_0");
	words[1] = get("S3_3_C15_C9_1");
	words[2] = get("S3_3_C15_C9_2");
	words[3] = get("S3_3_C15_C9_3");
	words[4] = get("S3_3_C15_C9_4");
	words[5] = get("S3_3_C15_C9_5");
	words[6] = get("S3_3_C15_C9_6");
	words[7] = get("S3_3_C15_C9_7");
	memcpy(s.record, words, sizeof(words));
	s.op = get("S3_3_C15_C10_1");
	s.fate = get("S3_3_C15_C10_3");
	return s;
}

/* The remaining samples are numbered from 0; the log must not have wrapped */
static unsigned long logged(void)
{
	unsigned long n = get(LOGGED);

	if (n > get(SIZE))
		fail("the samples do not fit into the log");
	return n;
}

static int fates(void)
{
	unsigned long n = logged(), counts[FATES] = {}, i;

	for (i = 0; i < n; i++)
		counts[read_sample(i).fate % FATES]++;
	for (i = 0; i < FATES; i++)
		printf("%s %lu\n", fate_names[i], counts[i]);
	return 0;
}

static int raw(void)
{
	unsigned long n = logged(), i;

	for (i = 0; i < n; i++) {
		struct sample s = read_sample(i);

		if (s.fate == WRITTEN)
			fwrite(s.record, SPE_RECORD, 1, stdout);
	}
	return 0;
}

static bool should_pass(const struct spe_record *r, const struct filters *f)
{
	bool by_type = f->branch || f->load || f->store;

	if (by_type && !(f->branch && spe_is_branch(r)) && !(f->load && spe_is_load(r)) &&
	    !(f->store && spe_is_store(r)))
		return false;
	return (r->events & f->event) == f->event && !(r->events & f->inv_event) &&
	       r->total >= f->min_latency;
}

/* number_of WORD KEY NUMBER - whether the word is KEY=NUMBER */
static bool number_of(const char *word, const char *key, unsigned long *number)
{
	size_t length = strlen(key);

	if (strncmp(word, key, length) || word[length] != '=')
		return false;
	*number = strtoul(word + length + 1, NULL, 0);
	return true;
}

static struct filters parse(char **args)
{
	struct filters f = {};

	for (; *args; args++) {
		f.branch |= !strcmp(*args, "branch");
		f.load |= !strcmp(*args, "load");
		f.store |= !strcmp(*args, "store");
		number_of(*args, "event", &f.event);
		number_of(*args, "inv_event", &f.inv_event);
		number_of(*args, "min_latency", &f.min_latency);
	}
	return f;
}

static int check(char **args)
{
	struct filters f = parse(args);
	unsigned long n = logged(), passed = 0, should = 0, wrong = 0, i;

	for (i = 0; i < n; i++) {
		struct sample s = read_sample(i);
		struct spe_record r = spe_read_record(s.record);

		if (s.fate == COLLISION)
			continue;
		passed += s.fate == WRITTEN;
		should += should_pass(&r, &f);
		wrong += !r.good || (s.fate == WRITTEN) != should_pass(&r, &f);
	}
	printf("samples %lu\npassed %lu\nshould %lu\nwrong %lu\n", n, passed, should, wrong);
	return wrong != 0;
}

static int interval(void)
{
	unsigned long n = logged(), low = ~0UL, high = 0, i;
	unsigned long before = n ? read_sample(0).op : 0;

	for (i = 1; i < n; i++) {
		unsigned long op = read_sample(i).op;

		if (op - before < low)
			low = op - before;
		if (op - before > high)
			high = op - before;
		before = op;
	}
	printf("%lu %lu\n", low, high);
	return n < 2;
}

static int set_faults(char **args)
{
	unsigned long number;

	for (; *args; args++) {
		if (number_of(*args, "collide", &number))
			set("S3_3_C15_C8_3", number);
		else if (number_of(*args, "fault", &number))
			set("S3_3_C15_C8_4", number);
		else if (number_of(*args, "lose", &number))
			set("S3_3_C15_C8_5", number);
		else
			return 2;
	}
	return 0;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("no such CPU");
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (argc > 2)
		pin(atoi(argv[2]));
	if (!strcmp(what, "clear")) {
		set(LOGGED, 0);
		return 0;
	}
	if (!strcmp(what, "fates"))
		return fates();
	if (!strcmp(what, "raw"))
		return raw();
	if (!strcmp(what, "check"))
		return check(argv + 3);
	if (!strcmp(what, "interval"))
		return interval();
	if (!strcmp(what, "set"))
		return set_faults(argv + 3);
	fprintf(stderr, "usage: spe_log clear|fates|raw|check|interval|set CPU [WORD]...\n");
	return 2;
}
