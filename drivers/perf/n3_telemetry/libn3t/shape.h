/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Products of two parts of a slice that the covariances of a set have. */
#ifndef _N3T_SHAPE_H
#define _N3T_SHAPE_H

struct n3t_plan;

void n3t_shape_find(struct n3t_plan *plan);

#endif /* _N3T_SHAPE_H */
