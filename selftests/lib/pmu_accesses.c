// SPDX-License-Identifier: GPL-2.0
/*
 * pmu_accesses [NUMBER] - reads PMUSERENR_EL0 NUMBER times, then prints the
 * number of accesses to PMU registers of this CPU since the start, by class:
 * "CLASS READS WRITES". Only the emulated N3 has registers for these numbers:
 * selftests/qemu/n3.
 */
#include <stdio.h>
#include <stdlib.h>

#define CLASS(name, nr)								\
	do {									\
		unsigned long reads, writes;					\
										\
		asm volatile("mrs %0, s3_3_c15_c" #nr "_0" : "=r" (reads));	\
		asm volatile("mrs %0, s3_3_c15_c" #nr "_1" : "=r" (writes));	\
		printf("%s %lu %lu\n", name, reads, writes);			\
	} while (0)

int main(int argc, char **argv)
{
	unsigned long number = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

	while (number--) {
		unsigned long value;

		asm volatile("mrs %0, pmuserenr_el0" : "=r" (value));
	}
	CLASS("type", 0);
	CLASS("counter", 1);
	CLASS("control", 2);
	CLASS("enable", 3);
	CLASS("interrupt", 4);
	CLASS("other", 5);
	return 0;
}
