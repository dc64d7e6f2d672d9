/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Format of a recording of "n3stat spe record". See tools/spe/libspe/format.rst.
 *
 * Little endian. SPE_MAGIC, then chunks: a header of 16 bytes, a body, and zeros up to a multiple
 * of 8. A file that ends inside a chunk is valid up to that chunk.
 */
#ifndef N3SPE_FORMAT_H
#define N3SPE_FORMAT_H

#include <stdint.h>

/* The line ends reveal a text-mode transfer, which would damage the rest. */
#define SPE_MAGIC	"N3SPE1\r\n"
#define SPE_CHUNK_MAX	(64u << 20)

enum spe_chunk_type {
	/*
	 * Text, "key value" lines: version 1, n3stat (its version), host, kernel, machine (uname's
	 * words), date (UTC, 2026-01-31T12:00:00Z), command, period (in effect), min_interval,
	 * counter_bits (12 or 16: latencies saturate), filter (settings of the driver, as in
	 * load_filter=0x1), modes ("kernel user" or one of them), clock_mult, clock_shift,
	 * clock_zero and, for a timer of fewer than 64 bits, clock_cycles, clock_mask (perf's
	 * conversion of ticks), sample_type (0x10086), target ("cpus", "process PID" or "command"),
	 * cpus LIST. Unknown ones are absent.
	 */
	SPE_CHUNK_INFO		= 1,
	/* Text: a line for each CPU: cpu N midr 0x... pmsidr 0x... pmu NAME */
	SPE_CHUNK_CPUS		= 2,
	/* struct spe_aux_header, then bytes of the AUX buffer, in order */
	SPE_CHUNK_AUX		= 3,
	/* struct spe_perf_header, then struct perf_event_header records as perf wrote them */
	SPE_CHUNK_PERF		= 4,
	/* struct spe_lost */
	SPE_CHUNK_LOST		= 5,
	/* Text: hexadecimal build id, a space, the file's name, a newline; and so on */
	SPE_CHUNK_BUILD_IDS	= 6,
	/* Text, as /proc/kallsyms: functions of the kernel and its modules only */
	SPE_CHUNK_KALLSYMS	= 7,
	/*
	 * Text, "key value" lines: aux_bytes; aux_records of perf, and those with a flag:
	 * truncated, collisions, partial; lost_records of perf; lost windows: lost_truncated,
	 * lost_stalled, lost_perf, lost_offline, lost_unknown_size. Last, and absent when the
	 * recorder was killed.
	 */
	SPE_CHUNK_END		= 8,
};

struct spe_chunk {
	uint32_t type;
	uint32_t reserved;	/* 0 */
	uint64_t size;		/* of the body, without padding */
};

struct spe_aux_header {
	uint32_t stream;	/* one AUX buffer, 0, 1, ... */
	int32_t cpu;		/* -1: follows a task */
	int32_t pid;		/* -1: all tasks of the CPU */
	int32_t tid;		/* thread of pid; 0 if unknown, -1: all */
	uint64_t flags;		/* PERF_AUX_FLAG_* of the PERF_RECORD_AUX */
	uint64_t offset;	/* total bytes written to the AUX buffer before these */
	uint64_t time;		/* of perf, in ns; 0 if unknown */
};

struct spe_perf_header {
	uint32_t stream;
	int32_t cpu;
};

enum spe_lost_reason {
	SPE_LOST_TRUNCATED	= 1,	/* the buffer was full */
	SPE_LOST_STALLED	= 2,	/* the kernel stopped the event, which was restarted */
	SPE_LOST_PERF		= 3,	/* PERF_RECORD_LOST: count is known */
	SPE_LOST_OFFLINE	= 4,	/* the CPU went offline */
	SPE_LOST_UNKNOWN_SIZE	= 5,	/* the kernel reported an impossible size */
	SPE_NR_LOST
};

/* A window in which samples may be missing. */
struct spe_lost {
	uint32_t stream;
	uint32_t reason;	/* enum spe_lost_reason */
	uint64_t offset;	/* stream offset of the data after the window */
	uint64_t count;		/* lost perf records, 0 if unknown */
	uint64_t from, to;	/* of perf, in ns; 0 if unknown */
};

#endif
