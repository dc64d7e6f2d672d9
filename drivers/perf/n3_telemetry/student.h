/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Half of a 95 % interval from a variance, by Student's t. */
#ifndef _N3T_STUDENT_H
#define _N3T_STUDENT_H

#include "wide.h"

u64 n3t_student_half(const struct n3t_wide *variance, u64 freedom);

#endif /* _N3T_STUDENT_H */
