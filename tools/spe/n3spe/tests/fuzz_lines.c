// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Line number programs for n3spe/lines.c: units of this program's own .debug_line, damaged, and
 * random opcodes behind headers of DWARF 2 to 5.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "n3spe/lines.h"
#include "tests/fuzz.h"

#define PROGRAMS	500	/* of one input, as each is short */
#define UNIT_MAX	2000	/* bytes taken of a longer unit */
#define BASE		0x400000
#define CODE_MAX	0x100000

static const char *section;
static size_t section_size;

void fuzz_start(void)
{
	size_t names;
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), ELF_C_READ_MMAP, NULL);
	if (!elf || elf_getshdrstrndx(elf, &names))
		abort();
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &header) &&
		    !strcmp(elf_strptr(elf, names, header.sh_name), ".debug_line")) {
			section = elf_getdata(scn, NULL)->d_buf;
			section_size = header.sh_size;
		}
	if (!section_size)
		abort();
}

/* Look-ups at each row's likely address. Return: how many have a line. */
static size_t look_up(const char *bytes, size_t size, uint64_t base)
{
	struct spe_segment code[] = {
		{ .address = base - 1, .size = CODE_MAX, .is_code = true },
		{ .address = 1, .size = base - 2, .is_code = true },
	};
	struct spe_segments segments = { code, 1 + fuzz_below(2) };
	/* Of exact size, so that the sanitizer detects any read beyond it. */
	char *copy = memcpy(malloc(size + !size), bytes, size);
	struct spe_lines *lines = spe_lines_open(copy, size, NULL, &segments, 1);
	size_t found = 0;

	for (int i = 0; i < 64; i++) {
		uint64_t address = i < 60 ? base + fuzz_below(0x800) : (uint64_t)fuzz_below(8) - 4;
		const char *file;
		int line = 0;

		if (!spe_lines_find(lines, address, &file, &line))
			continue;
		if (line <= 0 || file || address < 2 || address >= base + CODE_MAX)
			abort();
		found++;
	}
	spe_lines_close(lines);
	free(copy);
	return found;
}

/* A unit of the section, its length corrected. */
static char *take_unit(size_t *size)
{
	unsigned int nr = fuzz_below(100);
	size_t at = 0;
	uint32_t length;
	char *unit;

	do {
		memcpy(&length, section + at, sizeof(length));
		*size = length + sizeof(length);
		at += *size;
	} while (nr-- && at + sizeof(length) < section_size);
	unit = xreallocarray(NULL, *size + 1, 1);
	memcpy(unit, section + at - *size, *size);
	unit[*size] = '\0';
	if (*size > UNIT_MAX) {
		*size = UNIT_MAX;
		length = UNIT_MAX - sizeof(length);
		memcpy(unit, &length, sizeof(length));
		unit[*size] = '\0';
	}
	return unit;
}

static void try_units(void)
{
	for (int i = 0; i < PROGRAMS / 10; i++) {
		size_t size;
		char *unit = take_unit(&size);

		if (fuzz_below(8))
			fuzz_mutate(&unit, &size);
		look_up(unit, size, BASE);
		free(unit);
	}
}

static void put(char *bytes, size_t *at, uint64_t value, size_t size)
{
	memcpy(bytes + *at, &value, size);
	*at += size;
}

/* Rows of 1 to 8 bytes and a few lines each, from @address. */
static void put_sequence(char *bytes, size_t *at, uint64_t address, unsigned int rows)
{
	put(bytes, at, 0x020900, 3);
	put(bytes, at, address, 8);
	/* Line 100, so that lines stay positive. */
	put(bytes, at, 0xe40003, 3);
	for (unsigned int i = 0; i < rows; i++)
		put(bytes, at, 13 + fuzz_below(243), 1);
	put(bytes, at, 0x0402, 2);
	put(bytes, at, 0x010100, 3);
}

static size_t put_program(char *bytes, unsigned int version)
{
	static const char lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	size_t at = 4, header;

	put(bytes, &at, version, 2);
	if (version == 5)
		put(bytes, &at, 0x0008, 2);
	header = at;
	put(bytes, &at, 0, 4);
	put(bytes, &at, 4, 1);
	if (version >= 4)
		put(bytes, &at, 1, 1);
	put(bytes, &at, 1, 1);
	/* lines -1 to 12 */
	put(bytes, &at, 0x0d0eff, 3);
	memcpy(bytes + at, lengths, sizeof(lengths));
	at += sizeof(lengths) + 2;
	put(bytes, &header, at - header - 4, 4);
	return at;
}

/* Valid programs have lines; no byte of a damaged one does harm. */
static void try_programs(void)
{
	for (int i = 0; i < PROGRAMS; i++) {
		size_t size = 1000, at;
		char *bytes = xcalloc(size + 1, 1);
		bool damaged = fuzz_below(4);
		size_t start = 0;

		at = put_program(bytes, 2 + fuzz_below(4));
		for (unsigned int nr = fuzz_below(4); nr > 0; nr--)
			put_sequence(bytes, &at, fuzz_below(2) ? 0 : -fuzz_below(3),
				     fuzz_below(60));
		put_sequence(bytes, &at, BASE, 60);
		put(bytes, &start, at - 4, 4);
		size = at;
		for (unsigned int nr = fuzz_below(9); damaged && nr > 0; nr--)
			bytes[fuzz_below(size)] = (char)fuzz_below(256);
		if (damaged && fuzz_below(4) == 0)
			fuzz_mutate(&bytes, &size);
		if (!look_up(bytes, size, BASE) && !damaged)
			abort();
		free(bytes);
	}
}

const struct fuzz_kind fuzz_kinds[] = {
	{ "units", 16, try_units },
	{ "programs", 16, try_programs },
};

const size_t fuzz_nr_kinds = NR(fuzz_kinds);
