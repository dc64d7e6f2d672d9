/* SPDX-License-Identifier: GPL-2.0 */
/* The files status of CPUs, nodes and the system. */
#ifndef _N3T_STATUS_H
#define _N3T_STATUS_H

struct attribute_group;

extern const struct attribute_group n3t_status_file;

#endif /* _N3T_STATUS_H */
