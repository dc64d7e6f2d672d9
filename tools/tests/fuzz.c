// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * fuzz [INPUTS [SEED]] - feeds nearly valid inputs of fuzz_kinds to whole programs except main().
 * Built with sanitizers, which abort at the first invalid access; a refused input is not a failure.
 * The same seed gives the same inputs. TAP on stdout.
 *
 * Inputs run in batches, one process each, so that memory left by refused inputs is released, and a
 * crash identifies its batch.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "lib/errors.h"
#include "lib/memory.h"

#define BATCH		1000
#define TIMEOUT		300	/* seconds for a batch, which normally takes a few */

const char *argp_program_version = "fuzz";

/* Leaks of refused inputs are expected; a large quarantine would be slow. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0:quarantine_size_mb=16";
}

static uint64_t state;
static jmp_buf refused;
static unsigned long *accepted;	/* per kind, shared by all processes */

/* Knuth's generator; its upper bits are sufficient here. */
unsigned int fuzz_below(unsigned int limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return limit ? (unsigned int)((state >> 33) % limit) : 0;
}

/* Replaces the exit of die(): linked with --wrap=exit. */
void __wrap_exit(int status);

void __wrap_exit(int status)
{
	(void)status;
	longjmp(refused, 1);
}

static void remove_part(char *text, size_t *size)
{
	size_t at = fuzz_below(*size), len = fuzz_below(*size - at) % 64;

	memmove(text + at, text + at + len, *size - at - len + 1);
	*size -= len;
}

static void double_part(char **text, size_t *size)
{
	size_t at = fuzz_below(*size), len = fuzz_below(*size - at);

	if (*size + len > 100000)
		return;
	*text = xreallocarray(*text, *size + len + 1, 1);
	memmove(*text + at + len, *text + at, *size - at + 1);
	*size += len;
}

void fuzz_mutate(char **text, size_t *size)
{
	static const char odd[] = "\n =:.-+\t%\001\37709aZ";

	for (unsigned int i = 1 + fuzz_below(4); i > 0 && *size; i--) {
		switch (fuzz_below(6)) {
		case 0:
			(*text)[fuzz_below(*size)] ^= 1 << fuzz_below(7);
			break;
		case 1:
			*size = fuzz_below(*size);
			(*text)[*size] = '\0';
			break;
		case 2:
			remove_part(*text, size);
			break;
		case 3:
			double_part(text, size);
			break;
		default:
			(*text)[fuzz_below(*size)] = odd[fuzz_below(sizeof(odd) - 1)];
		}
	}
}

static const char * const words[] = {
	"none", "-", "=", ":", "nan", "inf", "-0.0000", "1e308", "18446744073709551616",
	"99999999999999999999999999999999999999999999999999999999999999", "0x10", "value=",
	"=1", "a=b=c", ".5", "5.", "--1", "\xff\xfe", "end", "t", "idle", "stale",
	"offline", "%s%n", "../..", "cpu0",
};

const char *fuzz_word(void)
{
	return words[fuzz_below(NR(words))];
}

FILE *fuzz_begin(char **text, size_t *size)
{
	FILE *out = open_memstream(text, size);

	if (!out)
		out_of_memory();
	return out;
}

void fuzz_number(FILE *out)
{
	switch (fuzz_below(12)) {
	case 0:
		fputs(fuzz_word(), out);
		break;
	case 1:
		fprintf(out, "-%u.%04u", fuzz_below(100), fuzz_below(10000));
		break;
	case 2:
		fprintf(out, "%u", fuzz_below(1U << 31));
		break;
	default:
		fprintf(out, "%u.%04u", fuzz_below(101), fuzz_below(10000));
	}
}

static void try_one(void)
{
	unsigned int at = fuzz_below(FUZZ_SHARES);
	size_t kind = 0;

	for (; at >= fuzz_kinds[kind].share; kind++)
		at -= fuzz_kinds[kind].share;
	fuzz_kinds[kind].try();
	accepted[kind]++;
}

static void run_batch(uint64_t seed, unsigned long nr)
{
	FILE *input = stdin;

	if (!freopen("/dev/null", "w", stdout))
		_exit(2);
	/*
	 * Refused inputs print errors; sanitizers use the descriptor directly. Curses opens the
	 * terminal as 2 if its descriptor is 1.
	 */
	stderr = fopen("/dev/null", "w");
	stdout = stderr;
	alarm(TIMEOUT);
	for (unsigned long i = 0; i < nr; i++) {
		stdin = input;
		state = seed + i * 0x9e3779b97f4a7c15ULL;
		fuzz_below(1);
		if (!setjmp(refused))
			try_one();
	}
	_exit(0);
}

static bool batch_passes(uint64_t seed, unsigned long nr)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		run_batch(seed, nr);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       !WEXITSTATUS(status);
}

/* Mostly refused inputs would find little. A quarter of the screens are accepted, the least. */
static bool enough_accepted(unsigned long inputs)
{
	for (size_t i = 0; i < fuzz_nr_kinds; i++)
		if (accepted[i] < inputs * fuzz_kinds[i].share / FUZZ_SHARES / 8)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	unsigned long done = 0;

	fuzz_start();
	accepted = mmap(NULL, fuzz_nr_kinds * sizeof(*accepted), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (accepted == MAP_FAILED)
		return 1;
	printf("TAP version 13\n1..1\n");
	fflush(stdout);
	while (done < inputs) {
		unsigned long nr = inputs - done < BATCH ? inputs - done : BATCH;

		if (!batch_passes(seed * 1000003 + done, nr)) {
			printf("not ok 1 - fuzz, batch from input %lu of seed %llu\n", done,
			       (unsigned long long)seed);
			fflush(stdout);
			_exit(1);
		}
		done += nr;
	}
	printf("%s 1 - fuzz, %lu inputs of seed %llu\n",
	       enough_accepted(inputs) ? "ok" : "not ok", inputs, (unsigned long long)seed);
	printf("# not refused:");
	for (size_t i = 0; i < fuzz_nr_kinds; i++)
		printf(" %lu %s", accepted[i], fuzz_kinds[i].name);
	putchar('\n');
	fflush(stdout);
	_exit(0);
}
