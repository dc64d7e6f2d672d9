// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Header and events of a perf.data file. */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "errors.h"
#include "header.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "sections.h"

#define MAGIC		"PERFILE2"
#define MAGIC_SWAPPED	"2ELIFREP"
#define PIPE_HEADER	16
#define ATTRS_MAX	1024
#define IDS_MAX		16000000
/* PERF_ATTR_SIZE_VER0; and more than any known one */
#define ATTR_SIZE_MIN	64
#define ATTR_SIZE_MAX	4096
/* Fields at the end of each record. */
#define ID_FIELDS	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct spe_section attrs, data, event_types;
	uint64_t features[4];
};

static void open_regular(struct spe_file *file)
{
	struct stat st;

	/* Opening a fifo would block until it has a writer. */
	file->fd = open(file->input.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0)
		die_of_file(ERR_CANNOT_READ, file->input.name);
	if (fstat(file->fd, &st))
		die_of_file(ERR_CANNOT_READ, file->input.name);
	if (S_ISDIR(st.st_mode))
		spe_file_die_threads(file);
	if (!S_ISREG(st.st_mode))
		die(ERR_CANNOT_READ, "%s: not a regular file", file->input.name);
	file->size = (uint64_t)st.st_size;
}

static void read_header(struct spe_file *file, struct file_header *header)
{
	const char *name = file->input.name;
	size_t len = spe_file_read(file, header, sizeof(*header), 0);

	if (!len)
		die(ERR_EMPTY_RECORDING, "%s: the file is empty", name);
	if (len >= sizeof(header->magic) && !memcmp(header->magic, MAGIC_SWAPPED, 8))
		die(ERR_BIG_ENDIAN, "%s: recorded on a big-endian machine: perf report on such a "
		    "machine reads it", name);
	if (len < PIPE_HEADER || memcmp(header->magic, MAGIC, sizeof(header->magic)))
		die(ERR_NOT_A_RECORDING, "%s: not a perf.data file; n3stat spe record and perf "
		    "record make such files", name);
	if (header->size == PIPE_HEADER)
		die(ERR_PIPE_RECORDING, "%s: written by perf record -o -, to a pipe; record to a "
		    "file, with -o FILE", name);
	if (len < sizeof(*header) || header->size < sizeof(*header) ||
	    header->attr_size < ATTR_SIZE_MIN + sizeof(struct spe_section) ||
	    header->attr_size > ATTR_SIZE_MAX || header->data.offset > file->size)
		die(ERR_DAMAGED_RECORDING, "%s: damaged or cut off in its header", name);
}

/* Numbers of the events of an attribute. */
static void read_ids(struct spe_file *file, struct spe_section section)
{
	size_t nr = section.size / sizeof(uint64_t), len;
	uint64_t *ids;

	if (section.size > file->size || nr + file->nr_ids > IDS_MAX)
		return;
	ids = xreallocarray(NULL, nr, sizeof(*ids));
	len = spe_file_read(file, ids, nr * sizeof(*ids), section.offset);
	file->ids = xreallocarray(file->ids, file->nr_ids + nr, sizeof(*file->ids));
	for (size_t i = 0; i < len / sizeof(*ids); i++)
		file->ids[file->nr_ids++] =
			(struct spe_event_id) { ids[i], (uint32_t)file->nr_attrs };
	free(ids);
}

static void add_attr(struct spe_file *file, const unsigned char *bytes, size_t size)
{
	struct perf_event_attr attr = { 0 };
	struct spe_section ids;

	memcpy(&ids, bytes + size - sizeof(ids), sizeof(ids));
	size -= sizeof(ids);
	memcpy(&attr, bytes, size < sizeof(attr) ? size : sizeof(attr));
	read_ids(file, ids);
	file->attrs = xreallocarray(file->attrs, file->nr_attrs + 1, sizeof(*file->attrs));
	file->attrs[file->nr_attrs++] = (struct spe_attr_read) {
		.type = attr.type,
		.period = attr.sample_period,
		.sample_type = attr.sample_id_all ? attr.sample_type & ID_FIELDS : 0,
		.has_ids = attr.sample_id_all,
	};
}

static int compare_ids(const void *a, const void *b)
{
	const struct spe_event_id *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

static void read_attrs(struct spe_file *file, const struct file_header *header)
{
	size_t size = header->attr_size, nr = header->attrs.size / size;
	unsigned char bytes[ATTR_SIZE_MAX];
	bool same = true;

	for (size_t i = 0; i < nr && i < ATTRS_MAX; i++) {
		if (spe_file_read(file, bytes, size, header->attrs.offset + i * size) != size)
			break;
		add_attr(file, bytes, size);
		same &= file->attrs[i].sample_type == file->attrs[0].sample_type;
	}
	if (!file->nr_attrs)
		die(ERR_DAMAGED_RECORDING, "%s: damaged or cut off before its events",
		    file->input.name);
	if (same)
		file->nr_ids = 0;
	if (file->nr_ids)
		qsort(file->ids, file->nr_ids, sizeof(*file->ids), compare_ids);
}

void spe_file_open(struct spe_file *file, const struct spe_input *input)
{
	struct file_header header;

	*file = (struct spe_file) { .input = *input };
	open_regular(file);
	read_header(file, &header);
	read_attrs(file, &header);
	file->data = header.data.offset;
	file->end = file->size;
	/* perf writes the size when it ends, but the bits of the sections at its start. */
	file->is_unfinished = !header.data.size;
	if (file->is_unfinished)
		return;
	file->lacks_sections = header.data.size > file->size - file->data;
	if (file->lacks_sections)
		return;
	file->end = file->data + header.data.size;
	spe_sections_read(file, header.features, 64 * NR(header.features));
}
