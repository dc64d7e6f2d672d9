// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Build ids of mapped files, in their records. */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/disk.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "record_build_ids.h"

#define ID_MAX		20
#define NOTES_MAX	65536

/* Properties of a file, by its inode and name. */
struct known_file {
	char *key;
	uint8_t id[ID_MAX];
	size_t size;		/* 0: no build id */
};

static int compare_files(const void *a, const void *b)
{
	const struct known_file *left = a, *right = b;

	return strcmp(left->key, right->key);
}

static void free_file(void *of)
{
	struct known_file *file = of;

	free(file->key);
	free(file);
}

/* ELF notes, from a file or /sys/kernel/notes. Return: size of the build id, 0 if absent. */
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

/* Return: whether the note segment holds a build id, which is stored. */
static bool read_notes(int fd, const Elf64_Phdr *segment, struct known_file *file)
{
	size_t size = segment->p_filesz < NOTES_MAX ? segment->p_filesz : NOTES_MAX;
	uint8_t *notes = xreallocarray(NULL, size, 1);
	ssize_t len = pread(fd, notes, size, segment->p_offset);
	const uint8_t *id;

	size = len > 0 ? find_id(notes, len, &id) : 0;
	file->size = size < ID_MAX ? size : ID_MAX;
	if (size)
		memcpy(file->id, id, file->size);
	free(notes);
	return size;
}

static void read_elf(int fd, struct known_file *file)
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
		if (segment.p_type == PT_NOTE && read_notes(fd, &segment, file))
			return;
	}
}

static int open_taken(char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	free(path);
	return fd;
}

/* Whether a link in /proc has this base name; the path of a container has a prefix. */
static bool leads_to(const char *path, const char *name)
{
	const char *base = strrchr(name, '/');
	char to[4096 + sizeof(" (deleted)")];
	ssize_t len = readlink(path, to, sizeof(to) - 1);
	char *found;

	if (len <= 0)
		return false;
	to[len] = '\0';
	found = strrchr(to, '/');
	return found && !strncmp(found, base, strcspn(base, " ")) &&
	       strcspn(found, " ") == strcspn(base, " ");
}

/* The file mapped by the process, even if replaced or deleted; requires privileges. */
static int open_mapped(const struct spe_mmap2 *mmap2)
{
	char *path = format_string("/proc/%u/map_files/%" PRIx64 "-%" PRIx64, mmap2->pid,
				   mmap2->addr, mmap2->addr + mmap2->len);

	if (leads_to(path, mmap2->name))
		return open_taken(path);
	free(path);
	return -1;
}

/*
 * The file of that name now: it may have replaced the mapped one, or belong to another mount
 * namespace. On an overlay, the device differs from the one the kernel records.
 */
static int open_named(const struct spe_mmap2 *mmap2, char *path, bool same_device)
{
	int fd = open_taken(path);
	struct stat st;

	if (fd < 0)
		return fd;
	if (!fstat(fd, &st) && st.st_ino == mmap2->inode &&
	    (!same_device ||
	     (major(st.st_dev) == mmap2->major && minor(st.st_dev) == mmap2->minor)))
		return fd;
	close(fd);
	return -1;
}

static void read_file(const struct spe_mmap2 *mmap2, struct known_file *file)
{
	int fd = open_mapped(mmap2);

	/* As the process sees it, possibly in a container. */
	if (fd < 0)
		fd = open_named(mmap2, format_string("/proc/%u/root%s", mmap2->pid, mmap2->name),
				false);
	if (fd < 0)
		fd = open_named(mmap2, xstrdup(mmap2->name), true);
	if (fd < 0)
		return;
	read_elf(fd, file);
	close(fd);
}

/* Properties of the file, read on first use. */
static const struct known_file *file_of(struct spe_build_ids *ids, const struct spe_mmap2 *mmap2)
{
	struct known_file *file = xreallocarray(NULL, 1, sizeof(*file)), **node;

	*file = (struct known_file) {
		.key = format_string("%u:%u %" PRIu64 " %" PRIu64 " %s", mmap2->major,
				     mmap2->minor, mmap2->inode, mmap2->generation, mmap2->name)
	};
	node = tsearch(file, &ids->files, compare_files);
	if (!node)
		out_of_memory();
	if (*node != file) {
		free_file(file);
		return *node;
	}
	read_file(mmap2, file);
	return file;
}

static void set_id(struct spe_mmap2 *mmap2, const uint8_t *id, size_t size)
{
	if (size > ID_MAX)
		return;
	mmap2->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	memset(mmap2->reserved, 0, sizeof(mmap2->reserved));
	memset(mmap2->build_id, 0, sizeof(mmap2->build_id));
	memcpy(mmap2->build_id, id, size);
	mmap2->build_id_size = size;
}

void spe_build_ids_fill(struct spe_build_ids *ids, struct spe_mmap2 *mmap2)
{
	const struct known_file *file;

	if (mmap2->name[0] != '/')
		return;
	file = file_of(ids, mmap2);
	if (file->size)
		set_id(mmap2, file->id, file->size);
}

void spe_build_id_of_notes(struct spe_mmap2 *mmap2, const char *path)
{
	uint8_t notes[4096];
	ssize_t len = disk_read(path, (char *)notes, sizeof(notes));
	const uint8_t *id;
	size_t size = len > 0 ? find_id(notes, len, &id) : 0;

	if (size)
		set_id(mmap2, id, size);
}

/* The kernel has no build id if the page with it is not in memory. */
void spe_build_ids_note(struct spe_build_ids *ids, const struct perf_event_header *record)
{
	struct spe_mmap2 *mmap2;

	if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		return;
	ids->repeated = xreallocarray(ids->repeated, ids->nr_repeated + record->size, 1);
	mmap2 = (void *)(ids->repeated + ids->nr_repeated);
	memcpy(mmap2, record, record->size);
	spe_build_ids_fill(ids, mmap2);
	if (mmap2->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		ids->nr_repeated += record->size;
}

void spe_build_ids_free(struct spe_build_ids *ids)
{
	tdestroy(ids->files, free_file);
	free(ids->repeated);
}
