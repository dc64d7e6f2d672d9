// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* State before the recording, as perf records. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/disk.h"
#include "lib/errors.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/streams.h"
#include "record_build_ids.h"
#include "record_out.h"
#include "record_session.h"

/* Exceeds the size of all records. */
#define RECORD_MAX	8192
#define NAME_MAX_LEN	4096

struct comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

union record {
	struct perf_event_header header;
	struct comm comm;
	struct spe_mmap2 mmap2;
	uint64_t words[RECORD_MAX / 8];
};

/* The padded name is the end of the record. */
static void set_name(union record *record, size_t offset, const char *name)
{
	size_t len = strlen(name), size;
	char *to = (char *)record + offset;

	if (len >= NAME_MAX_LEN)
		len = NAME_MAX_LEN - 1;
	size = (offset + len + 1 + 7) & ~7UL;
	memset(to, 0, size - offset);
	memcpy(to, name, len);
	record->header.size = size + sizeof(struct spe_trailer);
}

/* A record, followed by the sample_id. */
static void put(FILE *out, const union record *record, uint32_t pid, uint32_t tid)
{
	struct spe_trailer trailer = { .pid = pid, .tid = tid };

	fwrite(record, record->header.size - sizeof(trailer), 1, out);
	fwrite(&trailer, sizeof(trailer), 1, out);
}

static void put_comm(FILE *out, pid_t pid, const char *tid)
{
	char *path = format_string("/proc/%d/task/%s/comm", pid, tid), name[64];
	ssize_t len = disk_read(path, name, sizeof(name) - 1);
	union record record = {
		.comm = {
			.header.type = PERF_RECORD_COMM,
			.pid = pid,
			.tid = strtoul(tid, NULL, 10),
		},
	};

	free(path);
	if (len <= 0)
		return;
	name[len] = '\0';
	name[strcspn(name, "\n")] = '\0';
	set_name(&record, offsetof(struct comm, name), name);
	put(out, &record, pid, record.comm.tid);
}

/* A line of /proc/PID/maps: "start-end perms offset device inode name". */
static void put_mapping(struct spe_build_ids *ids, FILE *out, pid_t pid, char *line)
{
	union record record = {
		.mmap2 = {
			.header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 0 },
			.pid = pid,
			.tid = pid,
		},
	};
	uint64_t start, end, offset, inode;
	unsigned int major, minor;
	int name = 0;
	char perms[5];

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &start, &end, perms, &offset, &major, &minor, &inode, &name) != 7 ||
	    !name || perms[2] != 'x' || !line[name])
		return;
	record.mmap2.addr = start;
	record.mmap2.len = end - start;
	record.mmap2.pgoff = offset;
	record.mmap2.major = major;
	record.mmap2.minor = minor;
	record.mmap2.inode = inode;
	record.mmap2.prot = PROT_EXEC | (perms[0] == 'r' ? PROT_READ : 0) |
			    (perms[1] == 'w' ? PROT_WRITE : 0);
	record.mmap2.flags = perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	set_name(&record, offsetof(struct spe_mmap2, name), line + name);
	spe_build_ids_fill(ids, &record.mmap2);
	put(out, &record, pid, pid);
}

static void put_mappings(struct spe_build_ids *ids, FILE *out, pid_t pid)
{
	char *path = format_string("/proc/%d/maps", pid), *line = NULL;
	FILE *maps = fopen(path, "re");
	size_t size = 0;

	free(path);
	if (!maps)
		return;
	while (getline(&line, &size, maps) > 0)
		put_mapping(ids, out, pid, line);
	free(line);
	fclose(maps);
}

static void put_process(struct spe_session *session, pid_t pid)
{
	char *path = format_string("/proc/%d/task", pid), *records;
	char **tids;
	size_t size;
	FILE *out = open_memstream(&records, &size);

	if (!out)
		out_of_memory();
	xdisk_list(path, &tids);
	for (size_t i = 0; tids[i]; i++)
		put_comm(out, pid, tids[i]);
	put_mappings(&session->build_ids, out, pid);
	if (fclose(out))
		out_of_memory();
	spe_out_write(&session->out, records, size);
	free_names(tids);
	free(records);
	free(path);
}

void spe_put_processes(struct spe_session *session)
{
	const struct spe_record_options *options = session->options;
	char **names;

	/* A command is described by the records of its start. */
	if (session->on_exec)
		return;
	for (size_t i = 0; i < options->nr_pids; i++)
		put_process(session, options->pids[i]);
	if (session->nr_tasks)
		return;
	xdisk_list("/proc", &names);
	for (size_t i = 0; names[i]; i++)
		if (names[i][0] >= '0' && names[i][0] <= '9')
			put_process(session, strtol(names[i], NULL, 10));
	free_names(names);
}

/* notes: path of a file with its build id. */
static void put_kernel_map(FILE *out, uint64_t start, uint64_t len, uint64_t pgoff,
			   const char *name, const char *notes)
{
	union record record = {
		.mmap2 = {
			.header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_KERNEL, 0 },
			.pid = UINT32_MAX,
			.addr = start,
			.len = len,
			.pgoff = pgoff,
			.prot = PROT_READ | PROT_EXEC,
		},
	};

	set_name(&record, offsetof(struct spe_mmap2, name), name);
	spe_build_id_of_notes(&record.mmap2, notes);
	put(out, &record, UINT32_MAX, 0);
}

/* Lines of /proc/modules: "name size ... address". */
static void put_modules(FILE *out)
{
	char *line = NULL, name[80], *in_brackets, *notes;
	FILE *modules = fopen("/proc/modules", "re");
	uint64_t len, start;
	size_t size = 0;

	while (modules && getline(&line, &size, modules) > 0) {
		if (sscanf(line, "%79s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &len,
			   &start) != 3 || !start)
			continue;
		in_brackets = format_string("[%s]", name);
		notes = format_string("/sys/module/%s/notes/.note.gnu.build-id", name);
		put_kernel_map(out, start, len, 0, in_brackets, notes);
		free(in_brackets);
		free(notes);
	}
	free(line);
	if (modules)
		fclose(modules);
}

/* The kernel's code in /proc/kallsyms; perf corrects addresses by the symbol of the start. */
struct range {
	uint64_t start, end;
	const char *name;
};

static void extend_range(struct range *range, const char *name, uint64_t address)
{
	if (!strcmp(name, "_text\n"))
		*range = (struct range) { address, range->end, "[kernel.kallsyms]_text" };
	else if (!strcmp(name, "_stext\n") && !range->start)
		*range = (struct range) { address, range->end, "[kernel.kallsyms]_stext" };
	else if (!strcmp(name, "_etext\n"))
		range->end = address;
}

/* Copies the lines with functions; there are hundreds of thousands. Hidden addresses are 0. */
static void copy_functions(const char *path, struct range *range)
{
	FILE *symbols = fopen("/proc/kallsyms", "re"), *out = NULL;
	char *line = NULL, *rest;
	uint64_t address;
	size_t size = 0;

	while (symbols && getline(&line, &size, symbols) > 0) {
		address = strtoull(line, &rest, 16);
		if (!address || rest[0] != ' ' || !rest[1] || rest[2] != ' ')
			continue;
		/* The end mark need not be a function. */
		extend_range(range, rest + 3, address);
		if (!strchr("tTwW", rest[1]))
			continue;
		if (!out)
			out = create_private(path);
		fputs(line, out);
	}
	free(line);
	if (symbols)
		fclose(symbols);
	if (!out)
		return;
	flush_file(out, path);
	fclose(out);
}

void spe_put_kernel(struct spe_session *session)
{
	char *records, *path = format_string("%s.kallsyms", session->out.name);
	struct range kernel = { 0 };
	size_t size;
	FILE *out = open_memstream(&records, &size);

	if (!out)
		out_of_memory();
	if (!session->options->only_user)
		copy_functions(path, &kernel);
	if (kernel.start)
		put_kernel_map(out, kernel.start, (kernel.end ? kernel.end : UINT64_MAX) -
			       kernel.start, kernel.start, kernel.name, "/sys/kernel/notes");
	put_modules(out);
	if (fclose(out))
		out_of_memory();
	spe_out_write(&session->out, records, size);
	free(records);
	free(path);
}
