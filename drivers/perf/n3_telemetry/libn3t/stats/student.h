/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Half-width of a 95 % interval from a variance, by Student's t. */
#ifndef _N3T_STUDENT_H
#define _N3T_STUDENT_H

#include "libn3t/real.h"

struct n3t_real n3t_student_half(struct n3t_real variance, u64 freedom);

#endif /* _N3T_STUDENT_H */
