/* SPDX-License-Identifier: GPL-2.0 */
/* The files that can be written to. */
#ifndef _N3T_SETTINGS_H
#define _N3T_SETTINGS_H

struct attribute_group;

extern const struct attribute_group n3t_settings_group;

#endif /* _N3T_SETTINGS_H */
