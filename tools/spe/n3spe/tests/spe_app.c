// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * For selftests/spe/qemu/spe_profile.sh: runs NAME() the given number of times, or for ever.
 */
#include <stdlib.h>

__attribute__((noinline)) unsigned int NAME(unsigned int sum)
{
	for (unsigned int i = 0; i < 100000; i++)
		sum = sum * FACTOR + i;
	return sum;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned int sum = argc;

	do {
		sum = NAME(sum);
	} while (--rounds);
	return !argc && sum;
}
