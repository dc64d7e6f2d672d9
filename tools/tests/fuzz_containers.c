// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The fuzzer's sampled containers: records, directories of cgroups, CPU times, with errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/memory.h"

#define CGROUPS	"sys/fs/cgroup"
#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UID	"01234567_0123_0123_0123_0123456789ab"

static const char * const paths[] = {
	"", "/a.service", "/system.slice/docker-" ID ".scope", "/docker/" ID "/b",
	"/kubepods.slice/kubepods-pod" UID ".slice/crio-" ID ".scope/container",
	"/c.service/pod" UID ".slice:cri-containerd:" ID, "/user.slice/user-1.slice/\\x2d\\x2",
	"/pod" UID, "/\xff\033",
};

static void put_number(FILE *out, unsigned int limit)
{
	unsigned long long number = fuzz_below(limit);

	fprintf(out, "%20llu ", fuzz_below(100) ? number : number << fuzz_below(64));
}

static void put_numbers(FILE *out, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		put_number(out, i ? 100000 : 60);
}

/* The fill at the end of a record. */
static void put_end(FILE *out, unsigned int nr)
{
	fprintf(out, "%*s\n", 255 - 21 * (int)nr, "");
}

static char *make_file(void)
{
	unsigned int head = 8, record = 11;
	char *text;
	size_t size;
	FILE *out = fuzz_begin(&text, &size);

	fprintf(out, "%20u ", fuzz_below(8) ? 1 : fuzz_below(3));
	put_numbers(out, head - 1);
	put_end(out, head);
	for (unsigned int i = fuzz_below(6); i > 0; i--) {
		put_numbers(out, record);
		put_end(out, record);
	}
	fclose(out);
	return text;
}

void fuzz_containers_make(void)
{
	fuzz_tree_clear();
	fuzz_add_damaged(xstrdup(FUZZ_MODULE "/container_pieces"), xstrdup("125\n"));
	for (unsigned int i = 1 + fuzz_below(4); i > 0; i--)
		fuzz_add_damaged(xstrdup(FUZZ_MODULE "/system/containers"), make_file());
	fuzz_add_damaged(xstrdup(FUZZ_MODULE "/system/topdown_l1"),
			 xstrdup("frontend_bound 1\nbackend_bound 2\nbad_speculation 3\n"
				 "retiring 94\n"));
	fuzz_add_damaged(xstrdup(FUZZ_MODULE "/cpu0/status"), xstrdup("containers sampled\n"));
	fuzz_tree_add(xstrdup(FUZZ_MODULE "/results"), xstrdup("text\n"));
	for (size_t i = 0; i < NR(paths); i++)
		if (fuzz_below(8))
			fuzz_add_damaged(format_string(CGROUPS "%s/cpu.stat", paths[i]),
					 format_string("usage_usec %u\n", fuzz_below(1000000)));
}
