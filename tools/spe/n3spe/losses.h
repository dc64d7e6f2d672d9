/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reasons for missing samples. */
#ifndef N3SPE_LOSSES_H
#define N3SPE_LOSSES_H

/* The first ones are codes of PERF_RECORD_AUXTRACE_ERROR, as the recorder writes them. */
enum spe_lost_reason {
	SPE_LOST_OTHER		= 0,
	SPE_LOST_TRUNCATED	= 1,	/* the buffer was full, or faulty */
	SPE_LOST_STALLED	= 2,	/* the kernel stopped the event, which was restarted */
	SPE_LOST_PERF		= 3,	/* PERF_RECORD_LOST */
	SPE_LOST_OFFLINE	= 4,	/* the CPU went offline */
	SPE_LOST_UNKNOWN_SIZE	= 5,	/* the kernel reported an impossible size */
	SPE_NR_LOST,
	/* seen by the reader */
	SPE_LOST_PARTIAL	= SPE_NR_LOST,	/* gaps within a window */
	SPE_LOST_BYTES,				/* bytes are missing */
	SPE_LOST_SILENT,			/* no samples until the end */
	SPE_NR_LOSSES
};

static inline const char *spe_lost_text(enum spe_lost_reason reason)
{
	static const char * const texts[SPE_NR_LOSSES] = {
		[SPE_LOST_OTHER] = "other",
		[SPE_LOST_TRUNCATED] = "buffer full or faulty",
		[SPE_LOST_STALLED] = "stopped by the kernel",
		[SPE_LOST_PERF] = "perf's records lost",
		[SPE_LOST_OFFLINE] = "CPU offline",
		[SPE_LOST_UNKNOWN_SIZE] = "impossible size",
		[SPE_LOST_PARTIAL] = "gaps within data",
		[SPE_LOST_BYTES] = "bytes missing",
		[SPE_LOST_SILENT] = "silent until the end, though it ran tasks",
	};

	return texts[reason];
}

#endif
