// SPDX-License-Identifier: GPL-2.0
/*
 * spe_loop ROUNDS - executes a loop of 13 instructions ROUNDS times. Prints the
 * address of the first one, from which the expected samples follow.
 */
#include <stdio.h>
#include <stdlib.h>

void spe_loop(unsigned long rounds);
extern const char spe_loop_start[];

asm(".globl	spe_loop, spe_loop_start\n"
	".balign	64\n"
	"spe_loop:\n"
	"spe_loop_start:\n"
	".rept	11\n"
	"nop\n"
	".endr\n"
	"subs	x0, x0, #1\n"
	"b.ne	spe_loop_start\n"
	"ret\n");

int main(int argc, char **argv)
{
	printf("%lx\n", (unsigned long)spe_loop_start);
	spe_loop(argc > 1 ? strtoul(argv[1], NULL, 10) : 1);
	return 0;
}
