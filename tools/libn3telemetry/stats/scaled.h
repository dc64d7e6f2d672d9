/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Ratios as 64-bit integers with implied decimal places. */
#ifndef LIBN3TELEMETRY_STATS_SCALED_H
#define LIBN3TELEMETRY_STATS_SCALED_H

#include "libn3t/text.h"

s64 n3t_ratio_scaled(const struct n3t_ratio *r, unsigned int decimals);
s64 n3t_ratio_cut_off(const struct n3t_ratio *r, unsigned int decimals);
s64 n3t_scaled_round(s64 scaled, u32 unit);
void n3t_text_add_scaled(struct n3t_text *text, s64 scaled, unsigned int decimals);

#endif
