// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A perf.data file: access, and what its header says. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "file.h"
#include "lib/files.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "spans.h"

error_t spe_input_parse(struct spe_input *input, int key, char *arg)
{
	switch (key) {
	case SPE_OPTION_CORE:
		input->core = core_midr(arg);
		if (!input->core)
			die(ERR_BAD_VALUE, "bad --core '%s'; write n1, n2, n3, v1, v2, v3, v3ae or "
			    "a MIDR_EL1 as 0x410fd8e0", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (input->name)
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		input->name = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		input->name = "perf.data";
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

size_t spe_file_read(const struct spe_file *file, void *buf, size_t size, uint64_t at)
{
	size_t len = 0;
	ssize_t n;

	while (len < size && at + len < file->size) {
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

void spe_file_die_compressed(const struct spe_file *file)
{
	die(ERR_COMPRESSED_RECORDING, "%s: compressed by perf record -z; record without -z",
	    file->input.name);
}

void spe_file_die_threads(const struct spe_file *file)
{
	die(ERR_THREADS_RECORDING, "%s: a directory, as of perf record --threads; name a file, "
	    "or record without --threads", file->input.name);
}

const struct spe_attr_read *spe_file_attr(const struct spe_file *file, uint64_t id)
{
	size_t nr = sorted_up_to(file->ids, file->nr_ids, sizeof(*file->ids), id);

	if (!nr || file->ids[nr - 1].id != id)
		return file->attrs;
	return &file->attrs[file->ids[nr - 1].attr];
}

void spe_file_close(struct spe_file *file)
{
	free(file->attrs);
	free(file->ids);
	free(file->host);
	free(file->kernel);
	free(file->machine);
	free(file->command);
	free(file->cpuid);
	free(file->event);
	close(file->fd);
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
	const char *name = file->input.name;

	if (file->damaged_at)
		warn(ERR_INCOMPLETE_RECORDING, "%s: cut off or damaged at byte %" PRIu64
		     "; all before it is here", name, file->damaged_at);
	else if (file->is_unfinished)
		warn(ERR_INCOMPLETE_RECORDING, "%s: the recorder did not end: what it had not yet "
		     "written is missing; --core names the core", name);
	if (file->lacks_sections && !file->damaged_at)
		warn(ERR_INCOMPLETE_RECORDING, "%s: cut off behind its data: host and core are "
		     "unknown; --core names the core", name);
}
