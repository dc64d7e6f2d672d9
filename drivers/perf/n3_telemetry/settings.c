// SPDX-License-Identifier: GPL-2.0
/* The files that can be written to: one setting each. */
#include <linux/capability.h>
#include <linux/kobject.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sysfs.h>

#include "control.h"
#include "settings.h"

/* A setting that is a number. */
struct setting {
	struct kobj_attribute attr;
	unsigned int (*get)(const struct n3t_config *config);
	int (*set)(struct n3t_settings *settings, unsigned int value);
};

static struct setting *to_setting(struct kobj_attribute *attr)
{
	return container_of(attr, struct setting, attr);
}

static ssize_t setting_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	ssize_t ret;

	if (down_read_killable(&n3t_control_lock))
		return -EINTR;
	ret = sysfs_emit(buf, "%u\n", to_setting(attr)->get(n3t_config));
	up_read(&n3t_control_lock);
	return ret;
}

static ssize_t setting_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			     size_t size)
{
	struct n3t_settings settings;
	unsigned int value;
	int ret;

	/* The mode alone would let root in any container in. */
	if (!perfmon_capable())
		return -EPERM;

	ret = kstrtouint(buf, 10, &value);
	if (ret)
		return -EINVAL;

	ret = n3t_control_begin(&settings);
	if (ret)
		return ret;

	ret = to_setting(attr)->set(&settings, value);
	if (ret)
		n3t_control_abort();
	else
		ret = n3t_control_commit(&settings);
	return ret ?: size;
}

static unsigned int enable_get(const struct n3t_config *config)
{
	return config->settings.enable;
}

static int enable_set(struct n3t_settings *settings, unsigned int value)
{
	if (value > 1)
		return -EINVAL;

	settings->enable = value;
	return 0;
}

static unsigned int slice_ms_get(const struct n3t_config *config)
{
	return config->settings.slice_ms;
}

static int slice_ms_set(struct n3t_settings *settings, unsigned int value)
{
	settings->slice_ms = value;
	return 0;
}

static unsigned int window_ms_get(const struct n3t_config *config)
{
	return config->window_ms;
}

static int window_ms_set(struct n3t_settings *settings, unsigned int value)
{
	settings->window_ms = value;
	return 0;
}

#define SETTING(_name) {						\
	.attr = __ATTR(_name, 0640, setting_show, setting_store),	\
	.get = _name##_get,						\
	.set = _name##_set,						\
}

static struct setting enable = SETTING(enable);
static struct setting slice_ms = SETTING(slice_ms);
static struct setting window_ms = SETTING(window_ms);

static struct attribute *attrs[] = {
	&enable.attr.attr,
	&slice_ms.attr.attr,
	&window_ms.attr.attr,
	NULL
};

const struct attribute_group n3t_settings_group = { .attrs = attrs };
