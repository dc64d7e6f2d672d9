/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Owners: weighted sums of the pieces of runs, by cgroup. */
#ifndef _N3T_OWNERS_H
#define _N3T_OWNERS_H

#include <linux/types.h>

#include "libn3t/pieces.h"

#define N3T_MAX_OWNERS		1024
#define N3T_OWNERS_VERSION	1
#define N3T_OWNERS_RECORD	256	/* bytes */

/**
 * struct n3t_owners_seen - sums over CPUs that the file reports
 * @switches: context switches seen
 * @dropped: slices whose pieces were dropped
 * @covered_ns: busy time in slices of all sets that were kept
 * @busy_ns: busy time
 */
struct n3t_owners_seen {
	u64 switches;
	u64 dropped;
	u64 covered_ns;
	u64 busy_ns;
};

struct n3t_owners;

size_t n3t_owners_bytes(void);
void n3t_owners_init(struct n3t_owners *owners);
void n3t_owners_add(struct n3t_owners *owners, struct n3t_pieces *pieces, bool kept, u64 now);
unsigned int n3t_owners_records(const struct n3t_owners *owners);
void n3t_owners_record(struct n3t_owners *owners, unsigned int record,
		       const struct n3t_owners_seen *seen, char *buf);

#endif /* _N3T_OWNERS_H */
