// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * kernel_names ROOT RELEASE BUILD_ID SYMBOL ADDRESS KALLSYMS - prints the function and line of each
 * address on standard input. SYMBOL has this ADDRESS in the running kernel; "-" is none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/memory.h"
#include "n3spe/kernel.h"

static size_t parse_id(const char *hex, uint8_t *id)
{
	size_t size = strlen(hex) / 2;

	for (size_t i = 0; i < size && i < SPE_BUILD_ID_MAX; i++)
		if (sscanf(hex + 2 * i, "%2hhx", &id[i]) != 1)
			exit(EXIT_BAD_USAGE);
	return size;
}

int main(int argc, char **argv)
{
	struct spe_kernel_id id = { 0 };
	struct spe_search search;
	struct spe_kernel kernel;
	uint64_t address;

	if (argc != 7)
		return EXIT_BAD_USAGE;
	id.release = argv[2];
	id.build_id_size = parse_id(argv[3], id.build_id);
	id.symbol = strcmp(argv[4], "-") ? argv[4] : NULL;
	id.address = strtoull(argv[5], NULL, 16);
	spe_search_init(&search, argv[1], false);
	spe_kernel_open(&kernel, &id, &search, spe_kernel_read(argv[6]));
	while (scanf("%" SCNx64, &address) == 1) {
		const struct spe_symbol *symbol = spe_symbols_find(&kernel.symbols, address);
		const char *file = "-";
		int line = 0;

		spe_kernel_line(&kernel, address, &file, &line);
		printf("%s %s:%d\n", symbol ? symbol->name : "-", file, line);
	}
	spe_kernel_close(&kernel);
	spe_search_free(&search);
	return 0;
}
