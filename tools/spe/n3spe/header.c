// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Header of a perf.data file: its events, and the sections behind the data. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "errors.h"
#include "header.h"
#include "lib/files.h"
#include "lib/memory.h"

#define MAGIC_SWAPPED	"2ELIFREP"
/* Longer ones are left out: no machine has so many words or CPUs. */
#define SECTION_MAX	(256u << 10)
/* PERF_RECORD_MISC_BUILD_ID_SIZE: the byte behind the build ID is its size */
#define MISC_SIZE	0x8000
#define PIPE_HEADER	16
#define ATTRS_MAX	1024
#define IDS_MAX		16000000
/* PERF_ATTR_SIZE_VER0; and more than any known one */
#define ATTR_SIZE_MIN	64
#define ATTR_SIZE_MAX	4096
/* Fields at the end of each record. */
#define ID_FIELDS	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static void open_regular(struct spe_file *file)
{
	struct stat st;

	/* Opening a fifo would block until it has a writer. */
	file->fd = open(file->input.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0 && errno == ENOENT)
		die(ERR_CANNOT_READ, "%s: no such file: record it first, or name another one",
		    file->input.name);
	if (file->fd < 0)
		die_of_file(ERR_CANNOT_READ, file->input.name);
	if (fstat(file->fd, &st))
		die_of_file(ERR_CANNOT_READ, file->input.name);
	if (S_ISDIR(st.st_mode))
		spe_file_die_threads(file);
	if (!S_ISREG(st.st_mode))
		die(ERR_CANNOT_READ, "%s: not a regular file", file->input.name);
	file->size = (uint64_t)st.st_size;
	strftime(file->date, sizeof(file->date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&st.st_mtime));
}

static void read_header(struct spe_file *file, struct spe_file_header *header)
{
	const char *name = file->input.name;
	size_t len = spe_file_read(file, header, sizeof(*header), 0);

	if (!len)
		die(ERR_EMPTY_RECORDING, "%s: the file is empty", name);
	if (len >= sizeof(header->magic) && !memcmp(header->magic, MAGIC_SWAPPED, 8))
		die(ERR_BIG_ENDIAN, "%s: recorded on a big-endian machine: perf report on such a "
		    "machine reads it", name);
	if (len < PIPE_HEADER || memcmp(header->magic, SPE_FILE_MAGIC, sizeof(header->magic)))
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
		.only_user = attr.exclude_kernel,
	};
}

static int compare_ids(const void *a, const void *b)
{
	const struct spe_event_id *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

static void read_attrs(struct spe_file *file, const struct spe_file_header *header)
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

/* Unread bytes of a section; beyond its end all is 0. */
struct bytes {
	const char *at;
	size_t left;
};

static const char *skip(struct bytes *bytes, uint64_t size)
{
	const char *at = bytes->at;

	if (size > bytes->left) {
		bytes->left = 0;
		return NULL;
	}
	bytes->at += size;
	bytes->left -= size;
	return at;
}

static uint32_t get_u32(struct bytes *bytes)
{
	const char *at = skip(bytes, sizeof(uint32_t));
	uint32_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

/* A length and padded text. Return: a copy, NULL if absent. */
static char *get_text(struct bytes *bytes)
{
	uint32_t size = get_u32(bytes);
	const char *text = skip(bytes, size);

	return text && size ? format_string("%.*s", (int)strnlen(text, size), text) : NULL;
}

static void take_words(char **to, struct bytes *bytes)
{
	for (uint32_t nr = get_u32(bytes); nr && bytes->left; nr--) {
		char *word = get_text(bytes);

		if (word)
			append_text(to, " ", "%s", word);
		free(word);
	}
}

/* Names of the events of SPE, and how many PMUs they are of. */
static void take_events(struct spe_file *file, struct bytes *bytes)
{
	uint32_t nr = get_u32(bytes), attr_size = get_u32(bytes), last = 0;

	for (; nr && bytes->left; nr--) {
		struct bytes attr = { skip(bytes, attr_size), attr_size };
		uint32_t type = attr.at ? get_u32(&attr) : 0, ids = get_u32(bytes);
		char *name = get_text(bytes);

		if (name && !strncmp(name, "arm_spe", 7)) {
			append_text(&file->event, " ", "%s", name);
			file->nr_pmus += !file->nr_pmus || type != last;
			last = type;
		}
		skip(bytes, ids * sizeof(uint64_t));
		free(name);
	}
}

static void take_section(struct spe_file *file, unsigned int feature, struct bytes *bytes)
{
	switch (feature) {
	case FEATURE_HOSTNAME:
		file->host = get_text(bytes);
		break;
	case FEATURE_OSRELEASE:
		file->kernel = get_text(bytes);
		break;
	case FEATURE_ARCH:
		file->machine = get_text(bytes);
		break;
	case FEATURE_CPUID:
		file->cpuid = get_text(bytes);
		break;
	case FEATURE_CMDLINE:
		take_words(&file->command, bytes);
		break;
	case FEATURE_EVENT_DESC:
		take_events(file, bytes);
		break;
	default:
		break;
	}
}

static void read_section(struct spe_file *file, unsigned int feature, struct spe_section section)
{
	char *text;
	size_t len;

	if (feature == FEATURE_COMPRESSED)
		spe_file_die_compressed(file);
	if (feature == FEATURE_DIR_FORMAT)
		spe_file_die_threads(file);
	if (section.offset > file->size || section.size > file->size - section.offset) {
		file->lacks_sections = true;
		return;
	}
	if (feature == FEATURE_BUILD_ID) {
		file->build_ids = section.offset;
		file->build_ids_end = section.offset + section.size;
		return;
	}
	if (section.size > SECTION_MAX)
		return;
	text = xreallocarray(NULL, section.size + 1, 1);
	len = spe_file_read(file, text, section.size, section.offset);
	take_section(file, feature, &(struct bytes) { text, len });
	free(text);
}

/* A table behind the data has the places of the sections, in the order of their bits. */
static void read_sections(struct spe_file *file, const uint64_t *bits, unsigned int nr)
{
	struct spe_section section;
	uint64_t at = file->end;

	for (unsigned int bit = 0; bit < nr; bit++) {
		if (!(bits[bit / 64] >> bit % 64 & 1))
			continue;
		if (spe_file_read(file, &section, sizeof(section), at) != sizeof(section)) {
			file->lacks_sections = true;
			return;
		}
		at += sizeof(section);
		read_section(file, bit, section);
	}
}

void spe_file_open(struct spe_file *file, const struct spe_input *input)
{
	struct spe_file_header header;

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
	read_sections(file, header.features, 64 * NR(header.features));
}

struct build_id_head {
	struct perf_event_header header;
	int32_t pid;
	uint8_t build_id[SPE_BUILD_ID_MAX];
	uint8_t size, reserved[3];
};

void spe_build_ids_each(const struct spe_file *file, spe_build_id_fn fn, void *context)
{
	struct build_id_head head;
	char name[4096 + 64];

	for (uint64_t at = file->build_ids; at + sizeof(head) <= file->build_ids_end;
	     at += head.header.size) {
		size_t len, size = SPE_BUILD_ID_MAX;

		if (spe_file_read(file, &head, sizeof(head), at) != sizeof(head) ||
		    head.header.size <= sizeof(head))
			return;
		len = head.header.size - sizeof(head);
		if (len > sizeof(name) - 1)
			len = sizeof(name) - 1;
		name[spe_file_read(file, name, len, at + sizeof(head))] = '\0';
		if (head.header.misc & MISC_SIZE && head.size < size)
			size = head.size;
		fn(name, head.build_id, size, context);
	}
}
