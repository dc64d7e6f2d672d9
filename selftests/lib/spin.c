// SPDX-License-Identifier: GPL-2.0
/*
 * spin [THOUSANDS [MICROSECONDS]] - executes instructions until killed, or
 * THOUSANDS of them, or THOUSANDS of them repeatedly with a pause of
 * MICROSECONDS in between.
 */
#include <stdlib.h>
#include <unistd.h>

#include "spin.h"

int main(int argc, char **argv)
{
	unsigned long thousands = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned int pause = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	do {
		spin(thousands);
		usleep(pause);
	} while (pause);
	return 0;
}
