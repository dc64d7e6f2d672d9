/* SPDX-License-Identifier: GPL-2.0 */
/* Settings as text: sysfs files and module parameters. */
#ifndef _N3T_SETTINGS_H
#define _N3T_SETTINGS_H

#include <linux/kobject.h>

struct n3t_config;
struct n3t_settings;

/**
 * struct n3t_setting - one setting
 * @attr: its file
 * @show: writes it to a page, as sysfs_emit() does
 * @parse: parses a text: 0, -EINVAL or -ENOMEM; on error the settings must not be
 *	used
 */
struct n3t_setting {
	struct kobj_attribute attr;
	int (*show)(const struct n3t_config *config, char *buf);
	int (*parse)(struct n3t_settings *settings, const char *text);
};

/* The attributes of these files are embedded in struct n3t_setting. */
extern const struct attribute_group n3t_settings_group;

const struct n3t_settings *n3t_settings_init(void);
int n3t_emit_events(char *buf, int at, const u16 *codes, unsigned int nr);

#endif /* _N3T_SETTINGS_H */
