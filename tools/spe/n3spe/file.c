// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sequential reader of the chunks of a recording. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"
#include "file.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/text.h"

#define MAGIC_SIZE	(sizeof(SPE_MAGIC) - 1)
#define ALIGN8(n)	(((n) + 7) & ~7ULL)
#define PERF_MAGIC	"PERFILE2"

error_t spe_input_parse(struct spe_input *input, int key, char *arg, const char *command)
{
	switch (key) {
	case SPE_OPTION_SALVAGE:
		input->salvage = true;
		return 0;
	case ARGP_KEY_ARG:
		if (input->name)
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		input->name = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		die(ERR_MISSING_ARGUMENT, "%s needs a recording", command);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Return: number of bytes available at @at, at most @size. */
static size_t read_at(const struct spe_file *file, void *buf, size_t size, uint64_t at)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = pread(file->fd, (char *)buf + len, size - len, (off_t)(at + len));
		if (n > 0)
			len += (size_t)n;
		else if (!n)
			break;
		else if (errno != EINTR)
			die(ERR_CANNOT_READ, "%s: %s", file->input.name, strerror(errno));
	}
	return len;
}

void spe_file_rewind(struct spe_file *file)
{
	file->at = file->is_bare ? 0 : MAGIC_SIZE;
	file->next = file->at;
	file->body_end = file->at;
	file->skipped = 0;
	file->damaged = 0;
	file->is_cut = false;
}

static void open_regular(struct spe_file *file)
{
	struct stat st;

	/* Opening a fifo would block until it has a writer. */
	file->fd = open(file->input.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0)
		die_of_file(ERR_CANNOT_READ, file->input.name);
	if (fstat(file->fd, &st))
		die_of_file(ERR_CANNOT_READ, file->input.name);
	if (!S_ISREG(st.st_mode))
		die(ERR_CANNOT_READ, "%s: not a regular file", file->input.name);
	file->size = (uint64_t)st.st_size;
}

void spe_file_open(struct spe_file *file, const struct spe_input *input)
{
	char magic[MAGIC_SIZE];
	size_t len;

	*file = (struct spe_file) { .input = *input };
	open_regular(file);
	len = read_at(file, magic, sizeof(magic), 0);
	if (!len)
		die(ERR_EMPTY_RECORDING, "%s: the file is empty", input->name);
	if (len == sizeof(magic) && !memcmp(magic, PERF_MAGIC, sizeof(magic)))
		die(ERR_NOT_A_RECORDING, "%s: a file of perf, which perf report reads",
		    input->name);
	file->is_bare = len < sizeof(magic) || memcmp(magic, SPE_MAGIC, sizeof(magic));
	spe_file_rewind(file);
}

void spe_file_close(struct spe_file *file)
{
	close(file->fd);
}

static bool is_known(const struct spe_chunk *chunk)
{
	return chunk->type >= SPE_CHUNK_INFO && chunk->type <= SPE_CHUNK_END &&
	       !chunk->reserved && chunk->size <= SPE_CHUNK_MAX;
}

static bool header_at(const struct spe_file *file, struct spe_chunk *chunk, uint64_t at)
{
	if (read_at(file, chunk, sizeof(*chunk), at) != sizeof(*chunk))
		return false;
	chunk->type = le32toh(chunk->type);
	chunk->reserved = le32toh(chunk->reserved);
	chunk->size = le64toh(chunk->size);
	return true;
}

/* Padding may be missing only at the end of the file. */
static bool is_padded(const struct spe_file *file, uint64_t end, uint64_t size)
{
	static const char zeros[8];
	char padding[8] = { 0 };

	return !memcmp(padding, zeros, read_at(file, padding, ALIGN8(size) - size, end));
}

/* Return: whether a header of a known chunk type, or the end of the file, is here. */
static bool is_header(const struct spe_file *file, uint64_t at)
{
	struct spe_chunk chunk;

	return at >= file->size || (header_at(file, &chunk, at) && is_known(&chunk));
}

/* Return: whether a chunk starts here, judging by its successor too. */
static bool is_chunk(const struct spe_file *file, uint64_t at)
{
	uint64_t body = at + sizeof(struct spe_chunk);
	struct spe_chunk chunk;

	return header_at(file, &chunk, at) && is_known(&chunk) &&
	       body + chunk.size <= file->size && is_padded(file, body + chunk.size, chunk.size) &&
	       is_header(file, body + ALIGN8(chunk.size));
}

/*
 * Bytes may be missing, so chunks need not be aligned to 8. The contents of an AUX buffer can look
 * like a chunk header, but hardly with another chunk after it.
 */
static uint64_t find_chunk(const struct spe_file *file, uint64_t at)
{
	static const unsigned char rest_of_type[7];
	unsigned char buf[65536 + 7];
	size_t len;

	for (; (len = read_at(file, buf, sizeof(buf), at)) > 7; at += len - 7)
		for (size_t i = 0; i + 7 < len; i++)
			if (buf[i] - 1u < SPE_CHUNK_END && !memcmp(buf + i + 1, rest_of_type, 7) &&
			    is_chunk(file, at + i))
				return at + i;
	return file->size;
}

/* Return: whether reading can continue, at file->next. */
static bool skip_damage(struct spe_file *file, uint64_t at)
{
	uint64_t found = file->input.salvage ? find_chunk(file, at + 1) : file->size;

	if (!file->damaged++)
		file->damaged_at = at;
	file->skipped += found - at;
	file->next = found;
	return found < file->size;
}

static bool is_good(struct spe_file *file, const struct spe_chunk *chunk, uint64_t at)
{
	uint64_t end = at + sizeof(*chunk) + chunk->size;

	/* Unknown types are accepted: they may be defined later. */
	if (!chunk->type || chunk->type > 0xffff || chunk->reserved || chunk->size > SPE_CHUNK_MAX)
		return false;
	if (end <= file->size)
		return is_padded(file, end, chunk->size);
	file->is_cut = true;
	return false;
}

/* If bytes are missing, the next chunk starts inside this one. */
static void find_early_end(struct spe_file *file, uint64_t at)
{
	uint64_t found;

	if (!file->input.salvage || is_header(file, file->next))
		return;
	found = find_chunk(file, at + 1);
	if (found >= file->next)
		return;
	if (!file->damaged++)
		file->damaged_at = at;
	file->next = found;
	if (file->body_end > found)
		file->body_end = found < file->at ? file->at : found;
}

bool spe_file_next(struct spe_file *file, struct spe_chunk *chunk)
{
	uint64_t at;

	while (file->next < file->size) {
		at = file->next;
		if (!header_at(file, chunk, at)) {
			file->is_cut = true;
		} else if (is_good(file, chunk, at)) {
			file->at = at + sizeof(*chunk);
			file->body_end = file->at + chunk->size;
			file->next = file->at + ALIGN8(chunk->size);
			find_early_end(file, at);
			return true;
		}
		if (!skip_damage(file, at))
			return false;
		/* Not at the end of the file, so it was not truncated. */
		file->is_cut = false;
	}
	return false;
}

size_t spe_file_read(struct spe_file *file, void *buf, size_t size)
{
	uint64_t left = file->is_bare ? file->size - file->at : file->body_end - file->at;
	size_t len = read_at(file, buf, size < left ? size : left, file->at);

	file->at += len;
	return len;
}

bool spe_file_read_all(struct spe_file *file, void *buf, size_t size)
{
	return spe_file_read(file, buf, size) == size;
}

char *spe_file_read_text(struct spe_file *file)
{
	size_t left = file->body_end - file->at, len;
	char *text = xreallocarray(NULL, left + 1, 1);

	len = spe_file_read(file, text, left);
	/* A NUL is damage, to one line only. */
	for (size_t i = 0; i < len; i++)
		if (!text[i])
			text[i] = '\n';
	text[len] = '\0';
	return text;
}

void spe_file_create(const struct spe_file *file, const char *name, const char *what,
		     struct output *output)
{
	if (name && is_same_file(file->input.name, name))
		die(ERR_INPUT_IS_OUTPUT,
		    "%s: this is the recording; %s needs another file", name, what);
	output_open(output, name);
}

void spe_file_warn(const struct spe_file *file)
{
	if (file->is_cut)
		warn(ERR_INCOMPLETE_RECORDING,
		     "%s: cut off at byte %" PRIu64 "; all before it is here", file->input.name,
		     file->damaged_at);
	else if (file->damaged && !file->input.salvage)
		warn(ERR_INCOMPLETE_RECORDING, "%s: damaged at byte %" PRIu64
		     "; all before it is here, --salvage looks for more", file->input.name,
		     file->damaged_at);
	else if (file->damaged)
		warn(ERR_DAMAGED_DATA,
		     "%s: %" PRIu64 " damaged %s, %" PRIu64 " bytes skipped", file->input.name,
		     file->damaged, plural(file->damaged, "place", "places"), file->skipped);
}
