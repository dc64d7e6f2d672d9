/* SPDX-License-Identifier: GPL-2.0 */
/* The settings as text: files that can be written to, and module parameters. */
#ifndef _N3T_SETTINGS_H
#define _N3T_SETTINGS_H

struct attribute_group;
struct n3t_settings;

extern const struct attribute_group n3t_settings_group;

const struct n3t_settings *n3t_settings_init(void);

#endif /* _N3T_SETTINGS_H */
