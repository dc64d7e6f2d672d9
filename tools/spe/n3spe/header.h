/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Header of a perf.data file: its events, and the sections behind the data. */
#ifndef N3SPE_HEADER_H
#define N3SPE_HEADER_H

#include "file.h"

/* tools/perf/util/header.h */
enum spe_feature {
	FEATURE_BUILD_ID	= 2,
	FEATURE_HOSTNAME	= 3,
	FEATURE_OSRELEASE	= 4,
	FEATURE_VERSION		= 5,
	FEATURE_ARCH		= 6,
	FEATURE_NRCPUS		= 7,
	FEATURE_CPUID		= 9,
	FEATURE_CMDLINE		= 11,
	FEATURE_EVENT_DESC	= 12,
	FEATURE_PMU_MAPPINGS	= 16,
	FEATURE_AUXTRACE_INDEX	= 18,
	FEATURE_DIR_FORMAT	= 24,
	FEATURE_COMPRESSED	= 27,
};

struct spe_section {
	uint64_t offset, size;
};

#define SPE_FILE_MAGIC	"PERFILE2"

struct spe_file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct spe_section attrs, data, event_types;
	uint64_t features[4];
};

/* Reads all but the records. Exits unless it is a perf.data file that can be read. */
void spe_file_open(struct spe_file *file, const struct spe_input *input);

/* Passes on the build IDs of the file; @name: of a file or the kernel. */
typedef void (*spe_build_id_fn)(const char *name, const uint8_t *build_id, size_t size,
				void *context);
void spe_build_ids_each(const struct spe_file *file, spe_build_id_fn fn, void *context);

#endif
