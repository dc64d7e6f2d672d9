/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A perf.data file, except its records: attributes of the events and sections behind the data. See
 * tools/perf/Documentation/perf.data-file-format.txt of Linux. All positions in the file are
 * untrusted.
 */
#ifndef N3SPE_FILE_H
#define N3SPE_FILE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output;

/* Size of a file's build id in perf's records. */
#define SPE_BUILD_ID_MAX	20

/* Arguments of commands that read a file. */
struct spe_input {
	const char *name;
	uint64_t core;		/* MIDR_EL1 of --core, 0: that of the file */
};

enum { SPE_OPTION_CORE = 512 };

#define SPE_OPTIONS_INPUT \
	{ "core", SPE_OPTION_CORE, "NAME", 0, "core of the CPUs, where the file has none", 4 }

/* Parses FILE, by default perf.data, and --core. */
error_t spe_input_parse(struct spe_input *input, int key, char *arg);

/* Events with one perf_event_attr. */
struct spe_attr_read {
	uint32_t type;
	uint64_t period, sample_type;
	bool only_user;
};

/* Number of an event, as at the end of each record. */
struct spe_event_id {
	uint64_t id;
	uint32_t attr;
};

struct spe_file {
	struct spe_input input;
	int fd;
	uint64_t size;
	uint64_t data, end;		/* of the records */
	struct spe_attr_read *attrs;
	size_t nr_attrs;
	struct spe_event_id *ids;	/* sorted; empty if all attributes have the same fields */
	size_t nr_ids;
	/* sections, or NULL */
	char *host, *kernel, *machine, *command, *cpuid;
	char *event;			/* names of the SPE events */
	char date[32];			/* of the file, as perf writes none */
	uint64_t build_ids, build_ids_end;	/* place of the section, 0 if absent */
	unsigned int nr_pmus;		/* that these are of, 0 if unknown */
	/* reasons for warnings */
	bool is_unfinished;		/* the recorder did not end */
	bool lacks_sections;		/* the file ends before or in them */
	uint64_t damaged_at;		/* records from here on cannot be read, 0: all can */
};

void spe_file_close(struct spe_file *file);
void __attribute__((__noreturn__)) spe_file_die_compressed(const struct spe_file *file);
void __attribute__((__noreturn__)) spe_file_die_threads(const struct spe_file *file);
/* Return: number of bytes read at @at, less than @size only at the end of the file. */
size_t spe_file_read(const struct spe_file *file, void *buf, size_t size, uint64_t at);
/* Attributes of a record's event; @id: number of the event. */
const struct spe_attr_read *spe_file_attr(const struct spe_file *file, uint64_t id);

/* Opens an output file, or stdout if @name is NULL; refuses to overwrite the recording. */
void spe_file_create(const struct spe_file *file, const char *name, const char *what,
		     struct output *output);
/* Warns on stderr if the file is truncated or damaged. */
void spe_file_warn(const struct spe_file *file);

#endif
