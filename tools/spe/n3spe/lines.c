// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Source lines from the line number programs of DWARF 2 to 5. */
#include <assert.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lines.h"

/* Bytes that are read; behind the end there are zeros. */
struct cursor {
	const uint8_t *at, *end;
};

/* Line number program of a unit. */
struct program {
	size_t offset;			/* in the section */
	struct cursor code;
	const uint8_t *lengths;		/* operands of standard opcodes, from 1 on */
	uint8_t unit, range, first;	/* bytes of an instruction; of special opcodes */
	int8_t base;
	Dwarf_Files *files;
	size_t nr_files;
	char **joined;			/* relative names below the directory of compilation */
};

struct row {
	uint64_t address;
	uint32_t file, line;		/* file: ENDED behind the last row */
};

#define ENDED	UINT32_MAX

/* Rows of one contiguous piece of code. */
struct sequence {
	uint64_t start, end;
	struct cursor code;
	uint32_t program;
	struct row *rows;		/* by address; NULL until needed */
	size_t nr;
};

static_assert(!offsetof(struct row, address));

struct spe_lines {
	struct cursor section;
	Dwarf *dwarf;
	const struct spe_segments *segments;
	uint64_t shift;
	struct program *programs;
	size_t nr_programs, max_programs;
	struct sequence *sequences;	/* by start */
	size_t nr, max;
	struct spe_spans spans;
};

static struct cursor skip(struct cursor *cursor, uint64_t size)
{
	size_t left = (size_t)(cursor->end - cursor->at);
	const uint8_t *start = cursor->at;

	cursor->at += size < left ? size : left;
	return (struct cursor) { start, cursor->at };
}

static uint64_t take(struct cursor *cursor, unsigned int size)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < size && cursor->at < cursor->end; i++)
		value |= (uint64_t)*cursor->at++ << 8 * i;
	return value;
}

static uint64_t take_leb(struct cursor *cursor, bool is_signed)
{
	uint64_t value = 0, shift = 0, byte;

	do {
		byte = take(cursor, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= -(UINT64_C(1) << shift);
	return value;
}

/* Takes a unit from the section. Return: whether its program can be run. */
static bool take_program(struct cursor *section, struct program *program)
{
	unsigned int offset_size = 4, version;
	uint64_t length = take(section, 4);
	struct cursor unit;

	if (length == UINT32_MAX) {
		offset_size = 8;
		length = take(section, 8);
	}
	unit = skip(section, length);
	version = (unsigned int)take(&unit, 2);
	skip(&unit, version == 5 ? 2 : 0);
	length = take(&unit, offset_size);
	program->code = unit;
	skip(&program->code, length);
	program->unit = (uint8_t)take(&unit, 1);
	/* Operations of a VLIW's instruction; whether a row is a statement. */
	skip(&unit, version >= 4 ? 2 : 1);
	program->base = (int8_t)take(&unit, 1);
	program->range = (uint8_t)take(&unit, 1);
	program->first = (uint8_t)take(&unit, 1);
	program->lengths = unit.at;
	return version >= 2 && version <= 5 && program->range && program->first &&
	       unit.end - unit.at + 1 >= program->first;
}

/* Rows that go back are not used: the search needs their order. */
static void add_row(struct sequence *sequence, const struct row *state, size_t *nr)
{
	if (!*nr)
		sequence->start = state->address;
	else if (state->address < sequence->end)
		return;
	sequence->end = state->address;
	if (sequence->rows && *nr < sequence->nr)
		sequence->rows[*nr] = *state;
	++*nr;
}

static bool run_opcode(const struct program *program, struct row *state, struct cursor *code)
{
	uint8_t opcode = (uint8_t)take(code, 1), special = opcode - program->first;
	struct cursor operands;

	if (opcode >= program->first) {
		state->address += program->unit * (special / program->range);
		state->line += (uint32_t)(program->base + special % program->range);
		return true;
	}
	switch (opcode) {
	case 0:
		operands = skip(code, take_leb(code, false));
		opcode = (uint8_t)take(&operands, 1);
		if (opcode == DW_LNE_end_sequence)
			state->file = ENDED;
		if (opcode == DW_LNE_set_address)
			state->address = take(&operands, 8);
		return opcode == DW_LNE_end_sequence;
	case DW_LNS_advance_pc:
		state->address += program->unit * take_leb(code, false);
		break;
	case DW_LNS_advance_line:
		state->line += (uint32_t)take_leb(code, true);
		break;
	case DW_LNS_set_file:
		state->file = (uint32_t)take_leb(code, false);
		break;
	case DW_LNS_const_add_pc:
		state->address += program->unit * ((255u - program->first) / program->range);
		break;
	case DW_LNS_fixed_advance_pc:
		state->address += take(code, 2);
		break;
	default:
		for (uint8_t i = 0; i < program->lengths[opcode - 1]; i++)
			take_leb(code, false);
	}
	return opcode == DW_LNS_copy;
}

/* Runs @code up to the end of a sequence. Return: whether it is complete. */
static bool run_sequence(const struct program *program, struct sequence *sequence,
			 struct cursor *code)
{
	struct row state = { .file = 1, .line = 1 };
	size_t nr = 0;

	while (state.file != ENDED && code->at < code->end)
		if (run_opcode(program, &state, code))
			add_row(sequence, &state, &nr);
	if (!sequence->rows)
		sequence->nr = nr ? nr - 1 : 0;
	return state.file == ENDED;
}

/* Linkers leave 0, 1, -1 or a small number as the address of code that they dropped. */
static void read_sequences(struct spe_lines *lines, const struct program *program)
{
	struct sequence sequence = { .code = program->code };
	struct cursor code = program->code;
	const struct spe_segment *segment;

	sequence.program = (uint32_t)(program - lines->programs);
	while (run_sequence(program, &sequence, &code)) {
		segment = spe_segment_of(lines->segments, sequence.start - lines->shift);
		if (segment && segment->is_code && sequence.start > 1 &&
		    sequence.end - sequence.start - 1 <
		    segment->size - (sequence.start - lines->shift - segment->address)) {
			lines->sequences = xgrow(lines->sequences, lines->nr, &lines->max,
						 sizeof(*lines->sequences));
			lines->sequences[lines->nr++] = sequence;
		}
		sequence.code = code;
	}
}

static void read_section(struct spe_lines *lines)
{
	struct cursor section = lines->section;

	while (section.at < section.end) {
		struct program program = { .offset = (size_t)(section.at - lines->section.at) };

		if (!take_program(&section, &program))
			continue;
		lines->programs = xgrow(lines->programs, lines->nr_programs, &lines->max_programs,
					sizeof(*lines->programs));
		lines->programs[lines->nr_programs++] = program;
		read_sequences(lines, &lines->programs[lines->nr_programs - 1]);
	}
	if (lines->nr)
		qsort(lines->sequences, lines->nr, sizeof(*lines->sequences), spe_compare_ranges);
	spe_spans_make(&lines->spans, lines->sequences, lines->nr, sizeof(*lines->sequences));
}

struct spe_lines *spe_lines_open(const void *bytes, size_t size, Dwarf *dwarf,
				 const struct spe_segments *segments, uint64_t shift)
{
	struct spe_lines lines = {
		.section = { bytes, (const uint8_t *)bytes + size }, .dwarf = dwarf,
		.segments = segments, .shift = shift,
	};

	return memcpy(xcalloc(1, sizeof(lines)), &lines, sizeof(lines));
}

void spe_lines_close(struct spe_lines *lines)
{
	for (size_t i = 0; i < lines->nr; i++)
		free(lines->sequences[i].rows);
	for (size_t i = 0; i < lines->nr_programs; i++) {
		for (size_t file = 0; file < lines->programs[i].nr_files; file++)
			free(lines->programs[i].joined[file]);
		free(lines->programs[i].joined);
	}
	free(lines->sequences);
	free(lines->programs);
	free(lines->spans.v);
	free(lines);
}

static const char *file_of(struct spe_lines *lines, struct program *program, uint32_t file)
{
	const char * const *folders;
	const char *name;
	Dwarf_CU *cu = NULL;
	Dwarf_Off next;
	size_t nr;

	if (!program->files && !dwarf_next_lines(lines->dwarf, program->offset, &next, &cu,
						 &program->files, &program->nr_files, NULL, NULL))
		program->joined = xcalloc(program->nr_files, sizeof(*program->joined));
	name = program->files ? dwarf_filesrc(program->files, file, NULL, NULL) : NULL;
	if (!name || *name == '/' || dwarf_getsrcdirs(program->files, &folders, &nr) ||
	    !folders[0] || *folders[0] != '/')
		return name;
	if (!program->joined[file])
		program->joined[file] = format_string("%s/%s", folders[0], name);
	return program->joined[file];
}

bool spe_lines_find(struct spe_lines *lines, uint64_t address, const char **file, int *line)
{
	struct sequence *sequence;
	struct program *program;
	const struct row *row;
	uint32_t found;

	if (!lines->spans.v)
		read_section(lines);
	found = spe_spans_find(&lines->spans, address);
	if (found == SPE_NO_RANGE)
		return false;
	sequence = &lines->sequences[found];
	program = &lines->programs[sequence->program];
	if (!sequence->rows) {
		sequence->rows = xreallocarray(NULL, sequence->nr, sizeof(*row));
		run_sequence(program, sequence, &sequence->code);
	}
	row = sequence->rows - 1 +
	      sorted_up_to(sequence->rows, sequence->nr, sizeof(*row), address);
	*line = (int)row->line;
	*file = lines->dwarf ? file_of(lines, program, row->file) : NULL;
	return *line > 0 && (*file || !lines->dwarf);
}
