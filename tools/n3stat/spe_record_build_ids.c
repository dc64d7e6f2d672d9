// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Build ids of what was mapped, each once. */
#include <elf.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "disk.h"
#include "spe_record_build_ids.h"
#include "spe_record_sink.h"

#define ID_MAX		20
#define NOTES_MAX	65536

static void *seen;		/* a tree of lines, and of names without an id */
static char *lines;		/* those not yet put */
static size_t nr_bytes;

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Takes the text. Return: whether it is new. */
static bool remember(char *text)
{
	char **node = tsearch(text, &seen, compare);

	if (!node)
		die(EXIT_OTHER, "out of memory");
	if (*node == text)
		return true;
	free(text);
	return false;
}

static void add(const uint8_t *id, size_t size, const char *name)
{
	char hex[2 * ID_MAX + 1] = "", *line;
	size_t len;

	/* It would be a line of its own, about whatever file it likes. */
	if (strchr(name, '\n'))
		return;
	for (size_t i = 0; i < size && i < ID_MAX; i++)
		sprintf(hex + 2 * i, "%02x", id[i]);
	line = format_string("%s %s\n", hex, name);
	if (!remember(line))
		return;
	len = strlen(line);
	lines = xreallocarray(lines, nr_bytes + len, 1);
	memcpy(lines + nr_bytes, line, len);
	nr_bytes += len;
}

/* ELF notes, as in a file or in /sys/kernel/notes. Return: the build id's size, 0 without. */
static size_t find_id(const uint8_t *notes, size_t size, const uint8_t **id)
{
	Elf64_Nhdr note;
	size_t at = 0, name, desc;

	while (at + sizeof(note) <= size) {
		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		desc = name + ((note.n_namesz + 3ULL) & ~3ULL);
		if (desc + note.n_descsz > size)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp(notes + name, "GNU", sizeof("GNU"))) {
			*id = notes + desc;
			return note.n_descsz;
		}
		at = desc + ((note.n_descsz + 3ULL) & ~3ULL);
	}
	return 0;
}

/* Return: whether the segment of notes has a build id, which then is kept. */
static bool read_notes(int fd, const Elf64_Phdr *segment, const char *name)
{
	size_t size = segment->p_filesz < NOTES_MAX ? segment->p_filesz : NOTES_MAX;
	uint8_t *notes = xreallocarray(NULL, size, 1);
	ssize_t len = pread(fd, notes, size, segment->p_offset);
	const uint8_t *id;

	size = len > 0 ? find_id(notes, len, &id) : 0;
	if (size)
		add(id, size, name);
	free(notes);
	return size;
}

static void read_elf(int fd, const char *name)
{
	Elf64_Phdr segment;
	Elf64_Ehdr header;

	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(segment))
		return;
	for (size_t i = 0; i < header.e_phnum; i++) {
		if (pread(fd, &segment, sizeof(segment), header.e_phoff + i * sizeof(segment)) !=
		    (ssize_t)sizeof(segment))
			return;
		if (segment.p_type == PT_NOTE && read_notes(fd, &segment, name))
			return;
	}
}

static void see_file(pid_t pid, const char *name)
{
	char *path;
	int fd;

	if (!remember(xstrdup(name)))
		return;
	/* As the process sees it, which may be in a container. */
	path = format_string("/proc/%d/root%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(path);
	if (fd < 0)
		fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	read_elf(fd, name);
	close(fd);
}

void spe_build_ids_see(const struct perf_event_header *record)
{
	const struct spe_mmap2 *mmap2 = (const void *)record;

	if (mmap2->name[0] != '/')
		return;
	if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		add(mmap2->build_id, mmap2->build_id_size, mmap2->name);
	else
		see_file(mmap2->pid, mmap2->name);
}

void spe_build_ids_see_kernel(void)
{
	uint8_t notes[4096];
	ssize_t len = disk_read("/sys/kernel/notes", (char *)notes, sizeof(notes));
	const uint8_t *id;
	size_t size = len > 0 ? find_id(notes, len, &id) : 0;

	if (size)
		add(id, size, "[kernel.kallsyms]");
}

void spe_build_ids_put(struct spe_sink *sink)
{
	if (nr_bytes)
		sink->text(sink, SPE_CHUNK_BUILD_IDS, lines, nr_bytes);
	nr_bytes = 0;
}
