/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The file "system/containers", which Documentation/ABI describes. */
#ifndef LIBN3TELEMETRY_CONTAINERS_FILE_H
#define LIBN3TELEMETRY_CONTAINERS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define CONTAINERS_NAME		"containers"
#define CONTAINERS_FILE		"system/" CONTAINERS_NAME
#define CONTAINERS_SETTING	"container_pieces"
#define CONTAINERS_COUNTS	6

struct source;

/* Weighted sums of the pieces of a cgroup, modulo 2^64; counts in the order of enum n3t_slots. */
struct containers_sums {
	unsigned long long pieces;
	unsigned long long time_ns;
	unsigned long long cycles;
	unsigned long long counts[CONTAINERS_COUNTS];
};

struct containers_record {
	unsigned long long id;		/* inode of the cgroup's directory */
	unsigned long long first_ns;
	struct containers_sums sums;
};

struct containers_file {
	unsigned long long switches;
	unsigned long long evicted;
	unsigned long long other;	/* pieces without an entry */
	unsigned long long other_ns;
	unsigned long long dropped;	/* slices */
	unsigned long long covered_ns;
	unsigned long long busy_ns;
	struct containers_record *v;	/* sorted by id */
	size_t nr;
};

/*
 * Reads the file, which containers_file_free() frees. Return: false after an error of the source,
 * as that the setting is 0.
 */
bool containers_file_read(struct source *source, struct containers_file *file);
void containers_file_free(struct containers_file *file);

/*
 * What the sums of a record have gained since an earlier reading; all of them if it lacks the id or
 * has another entry of it.
 */
struct containers_sums containers_growth(const struct containers_file *before,
					 const struct containers_record *now);
void containers_add(struct containers_sums *to, const struct containers_sums *sums);

#endif
