// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* State before the recording, as perf records. */
#include <inttypes.h>
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
#include "record_session.h"

#define NAME_MAX_LEN	4096

struct comm {
	struct perf_event_header header;
	uint32_t pid, tid;
};

/* A record, which begins like struct comm, the padded name as its end, and the sample_id. */
static void put(struct spe_out *out, void *record, size_t size, const char *name)
{
	static const char zeros[8];
	struct perf_event_header *header = record;
	struct spe_trailer trailer = { 0 };
	size_t len = strnlen(name, NAME_MAX_LEN - 1), padding = 8 - len % 8;

	header->size = size + len + padding + sizeof(trailer);
	memcpy(&trailer, (char *)record + sizeof(*header), sizeof(struct comm) - sizeof(*header));
	spe_out_write(out, record, size);
	spe_out_write(out, name, len);
	spe_out_write(out, zeros, padding);
	spe_out_write(out, &trailer, sizeof(trailer));
}

static void put_comm(struct spe_out *out, pid_t pid, const char *tid)
{
	struct comm record = { { .type = PERF_RECORD_COMM }, pid, strtoul(tid, NULL, 10) };
	char *path = format_string("/proc/%d/task/%s/comm", pid, tid), name[64];
	ssize_t len = disk_read(path, name, sizeof(name) - 1);

	free(path);
	if (len <= 0)
		return;
	name[len] = '\0';
	name[strcspn(name, "\n")] = '\0';
	put(out, &record, sizeof(record), name);
}

/* A line of /proc/PID/maps: "start-end perms offset device inode name". */
static void put_mapping(struct spe_session *session, pid_t pid, char *line)
{
	struct spe_mmap2 record = {
		.header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 0 },
		.pid = pid,
		.tid = pid,
	};
	int name = 0;
	char perms[5];

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &record.addr, &record.len, perms, &record.pgoff, &record.major, &record.minor,
		   &record.inode, &name) != 7 || !name || perms[2] != 'x' || !line[name])
		return;
	record.len -= record.addr;
	record.prot = PROT_EXEC | (perms[0] == 'r' ? PROT_READ : 0) |
		      (perms[1] == 'w' ? PROT_WRITE : 0);
	record.flags = perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	spe_build_id_of_file(&session->build_ids, &record, line + name);
	put(&session->out, &record, sizeof(record), line + name);
}

static void put_process(struct spe_session *session, pid_t pid)
{
	char *path = format_string("/proc/%d/task", pid), *line = NULL;
	size_t size = 0;
	char **tids;
	FILE *maps;

	xdisk_list(path, &tids);
	for (size_t i = 0; tids[i]; i++)
		put_comm(&session->out, pid, tids[i]);
	free_names(tids);
	free(path);
	path = format_string("/proc/%d/maps", pid);
	maps = fopen(path, "re");
	while (maps && getline(&line, &size, maps) > 0)
		put_mapping(session, pid, line);
	if (maps)
		fclose(maps);
	free(line);
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
static void put_kernel_map(struct spe_out *out, uint64_t start, uint64_t len, uint64_t pgoff,
			   const char *name, const char *notes)
{
	struct spe_mmap2 record = {
		.header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_KERNEL, 0 },
		.pid = UINT32_MAX,
		.addr = start,
		.len = len,
		.pgoff = pgoff,
		.prot = PROT_READ | PROT_EXEC,
	};

	spe_build_id_of_notes(&record, notes);
	put(out, &record, sizeof(record), name);
}

/* Lines of /proc/modules: "name size ... address". */
static void put_modules(struct spe_out *out)
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
	char *path = format_string("%s.kallsyms", session->out.name);
	struct range kernel = { 0 };

	if (!session->options->only_user)
		copy_functions(path, &kernel);
	if (kernel.start)
		put_kernel_map(&session->out, kernel.start,
			       (kernel.end ? kernel.end : UINT64_MAX) - kernel.start, kernel.start,
			       kernel.name, "/sys/kernel/notes");
	put_modules(&session->out);
	free(path);
}
