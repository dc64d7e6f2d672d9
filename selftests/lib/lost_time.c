// SPDX-License-Identifier: GPL-2.0
/*
 * lost_time MILLISECONDS - executes loops of known length for this time, and prints the
 * number of instructions that this CPU executed meanwhile outside of this program, and
 * nanoseconds that passed:
 *
 *	LOST ELAPSED
 *
 * For machines of one CPU whose time is counted in instructions, one per nanosecond: the
 * excess of a loop over the shortest loop was spent elsewhere. No counter is needed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/*
 * Of 1,000 instructions; shorter than a tick by far, so most are not
 * interrupted.
 */
#define ROUNDS	50ul

static unsigned long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ul + now.tv_nsec;
}

/* As in spin.c: nops are counted and cost the host next to nothing. */
static void loop(unsigned long rounds)
{
	while (rounds--)
		asm volatile(".rept 997\n\tnop\n\t.endr");
}

int main(int argc, char **argv)
{
	unsigned long start, end, last, now, took, loops = 0, shortest = -1ul;

	if (argc != 2 || atol(argv[1]) < 1) {
		fprintf(stderr, "usage: lost_time MILLISECONDS\n");
		return 2;
	}
	start = now_ns();
	end = start + atol(argv[1]) * 1000000ul;
	for (last = start; last < end; last = now) {
		loop(ROUNDS);
		now = now_ns();
		took = now - last;
		shortest = took < shortest ? took : shortest;
		loops++;
	}
	printf("%lu %lu\n", last - start - loops * shortest, last - start);
	return 0;
}
