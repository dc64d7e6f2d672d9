// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sections behind the data of a perf.data file. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "sections.h"

#define SECTION_MAX	(64u << 20)
/* PERF_RECORD_MISC_BUILD_ID_SIZE: the byte behind the build ID is its size */
#define MISC_SIZE	0x8000

/* Unread bytes of a section; beyond its end all is 0. */
struct bytes {
	const char *at;
	size_t left;
};

static uint32_t get_u32(struct bytes *bytes)
{
	uint32_t value = 0;

	if (bytes->left < sizeof(value)) {
		bytes->left = 0;
		return 0;
	}
	memcpy(&value, bytes->at, sizeof(value));
	bytes->at += sizeof(value);
	bytes->left -= sizeof(value);
	return value;
}

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

/* A length and padded text. Return: a copy, NULL if absent. */
static char *get_text(struct bytes *bytes)
{
	uint32_t size = get_u32(bytes);
	const char *text = skip(bytes, size);

	return text && size ? format_string("%.*s", (int)strnlen(text, size), text) : NULL;
}

static void take_text(char **to, struct bytes *bytes)
{
	free(*to);
	*to = get_text(bytes);
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
		take_text(&file->host, bytes);
		break;
	case FEATURE_OSRELEASE:
		take_text(&file->kernel, bytes);
		break;
	case FEATURE_ARCH:
		take_text(&file->machine, bytes);
		break;
	case FEATURE_CPUID:
		take_text(&file->cpuid, bytes);
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
void spe_sections_read(struct spe_file *file, const uint64_t *bits, unsigned int nr)
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
