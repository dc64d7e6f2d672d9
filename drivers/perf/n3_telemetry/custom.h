/* SPDX-License-Identifier: GPL-2.0 */
/* The file custom of a CPU: the events of the user's own set. */
#ifndef _N3T_CUSTOM_H
#define _N3T_CUSTOM_H

struct attribute_group;

extern const struct attribute_group n3t_custom_file;

#endif /* _N3T_CUSTOM_H */
