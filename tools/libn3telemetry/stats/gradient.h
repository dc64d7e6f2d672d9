/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Partial derivatives of formulas. */
#ifndef LIBN3TELEMETRY_STATS_GRADIENT_H
#define LIBN3TELEMETRY_STATS_GRADIENT_H

#include "libn3t/formula.h"
#include "libn3telemetry/stats/real.h"

/**
 * struct n3t_gradient - partial derivatives of a formula at given counts
 * @value: the value
 * @cycles: derivative by CPU_CYCLES
 * @event: derivative by each event, in the order of the formula's @code
 */
struct n3t_gradient {
	double value;
	double cycles;
	double event[N3T_FORMULA_EVENTS];
};

int n3t_formula_gradient(const struct n3t_formula *formula, const struct n3t_counts *counts,
			 struct n3t_gradient *gradient);

#endif
