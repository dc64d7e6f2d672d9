/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef LIBSPE_TESTS_BENCH_H
#define LIBSPE_TESTS_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Result of perf's decoder: the sum of all payloads, or of all PCs << 8. */
uint64_t bench_perf_packets(const uint8_t *bytes, size_t nr);
uint64_t bench_perf_records(const uint8_t *bytes, size_t nr);

#endif
