// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* For the tests of n3stat spe: hot() lies between functions that never run. */
#include <stdio.h>
#include <stdlib.h>

#define COLD(n)								\
__attribute__((noinline)) unsigned int cold_##n(unsigned int value)	\
{									\
	for (unsigned int i = 0; i < value % (n); i++)			\
		value = value * (n) + (value >> 3) + i;			\
	return value ^ (n);						\
}

COLD(11)
COLD(12)
COLD(13)
COLD(14)

__attribute__((noinline)) unsigned int leaf(unsigned int value)
{
	return value & 1 ? value * 3 + 1 : value / 2;
}

COLD(21)
COLD(22)

__attribute__((noinline)) unsigned int hot(unsigned int value)
{
	unsigned int steps = 0;

	while (value != 1) {
		if (value > 1u << 30)
			abort();
		value = leaf(value);
		steps++;
	}
	return steps;
}

COLD(31)
COLD(32)
COLD(33)

int main(int argc, char **argv)
{
	unsigned int sum = 0;

	for (unsigned int i = 1; i < 70000; i++)
		sum += hot(i);
	if (argc > 1)
		sum += cold_11(sum) + cold_12(sum) + cold_13(sum) + cold_14(sum) + cold_21(sum) +
		       cold_22(sum) + cold_31(sum) + cold_32(sum) + cold_33(sum);
	printf("%s %u\n", argc > 1 ? argv[1] : "", sum);
	return 0;
}
