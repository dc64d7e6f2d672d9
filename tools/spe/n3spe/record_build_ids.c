// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Build ids of mapped files, in their records. */
#include <elfutils/libdwelf.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/disk.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "record_build_ids.h"

/* "GNU", little-endian */
#define GNU	0x554e47

/* The build id of a file, by its inode and name. */
struct known_file {
	char *key;
	uint8_t id[SPE_BUILD_ID_MAX];
	ssize_t size;		/* 0: none */
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

static void read_elf(int fd, struct known_file *file)
{
	const void *id;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	file->size = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	if (file->size > SPE_BUILD_ID_MAX)
		file->size = SPE_BUILD_ID_MAX;
	if (file->size > 0)
		memcpy(file->id, id, file->size);
	elf_end(elf);
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
static int open_mapped(const struct spe_mmap2 *mmap2, const char *name)
{
	char *path = format_string("/proc/%u/map_files/%" PRIx64 "-%" PRIx64, mmap2->pid,
				   mmap2->addr, mmap2->addr + mmap2->len);
	int fd = leads_to(path, name) ? disk_open(path) : -1;

	free(path);
	return fd;
}

/*
 * The file of that name now: it may have replaced the mapped one, or belong to another mount
 * namespace. On an overlay, the device differs from the one the kernel records.
 */
static int open_named(const struct spe_mmap2 *mmap2, char *path, bool same_device)
{
	dev_t device = makedev(mmap2->major, mmap2->minor);
	int fd = disk_open(path);
	struct stat st;

	free(path);
	if (fd < 0)
		return fd;
	if (!fstat(fd, &st) && st.st_ino == mmap2->inode &&
	    (!same_device || st.st_dev == device))
		return fd;
	close(fd);
	return -1;
}

static void read_file(const struct spe_mmap2 *mmap2, const char *name, struct known_file *file)
{
	int fd = open_mapped(mmap2, name);

	/* As the process sees it, possibly in a container. */
	if (fd < 0)
		fd = open_named(mmap2, format_string("/proc/%u/root%s", mmap2->pid, name), false);
	if (fd < 0)
		fd = open_named(mmap2, xstrdup(name), true);
	if (fd < 0)
		return;
	read_elf(fd, file);
	close(fd);
}

static void set_id(struct spe_mmap2 *mmap2, const uint8_t *id, size_t size)
{
	mmap2->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	memset(mmap2->reserved, 0, sizeof(mmap2->reserved));
	memset(mmap2->build_id, 0, sizeof(mmap2->build_id));
	memcpy(mmap2->build_id, id, size);
	mmap2->build_id_size = size;
}

void spe_build_id_of_file(void **files, struct spe_mmap2 *mmap2, const char *name)
{
	struct known_file *file, **node;

	if (name[0] != '/')
		return;
	file = xcalloc(1, sizeof(*file));
	file->key = format_string("%u:%u %" PRIu64 " %" PRIu64 " %s", mmap2->major, mmap2->minor,
				  mmap2->inode, mmap2->generation, name);
	node = tsearch(file, files, compare_files);
	if (!node)
		out_of_memory();
	if (*node == file)
		read_file(mmap2, name, file);
	else
		free_file(file);
	if ((*node)->size > 0)
		set_id(mmap2, (*node)->id, (*node)->size);
}

void spe_build_id_of_notes(struct spe_mmap2 *mmap2, const char *path)
{
	static const uint32_t note[] = { sizeof("GNU"), SPE_BUILD_ID_MAX, NT_GNU_BUILD_ID, GNU };
	uint8_t notes[4096], *found = NULL;
	ssize_t len = disk_read(path, (char *)notes, sizeof(notes));

	/* The kernel's build makes SHA-1 ids only. */
	if (len > SPE_BUILD_ID_MAX)
		found = memmem(notes, len - SPE_BUILD_ID_MAX, note, sizeof(note));
	if (found)
		set_id(mmap2, found + sizeof(note), SPE_BUILD_ID_MAX);
}

void spe_build_ids_free(void *files)
{
	tdestroy(files, free_file);
}
