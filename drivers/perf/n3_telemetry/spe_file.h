/* SPDX-License-Identifier: GPL-2.0 */
/* The file spe of a CPU. */
#ifndef _N3T_SPE_FILE_H
#define _N3T_SPE_FILE_H

struct attribute_group;

extern const struct attribute_group n3t_spe_file;

#endif /* _N3T_SPE_FILE_H */
