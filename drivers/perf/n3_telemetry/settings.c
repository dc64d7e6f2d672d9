// SPDX-License-Identifier: GPL-2.0
/*
 * Settings as text: sysfs files and module parameters.
 *
 * One pair of functions parses and shows a setting, both for its file and for
 * its parameter. Invalid text changes nothing.
 */
#include <linux/cpumask.h>
#include <linux/kobject.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <linux/sysfs.h>
#include <kunit/visibility.h>

#include "config.h"
#include "containers.h"
#include "control.h"
#include "cpus.h"
#include "libn3t/pieces.h"
#include "libn3t/spec.h"
#include "pmu.h"
#include "sampler.h"
#include "settings.h"

#define MAX_LOG_LENGTH	((size_t)40)
#define SEPARATORS	", \t\n"

/* Settings from module parameters. */
static struct n3t_config initial = {
	.settings = {
		.enable = true,
		.enables = 1,
		.slice_ms = N3T_SLICE_MS_DEFAULT,
		.max_cost = N3T_MAX_COST_DEFAULT,
		.window_ms = N3T_WINDOW_MS_DEFAULT,
		.anchors = { .automatic = true },
	},
};

/* Length of the part of an invalid text that is logged, escaped. */
static int log_length(const char *text)
{
	return min(strcspn(text, "\n"), MAX_LOG_LENGTH);
}

static int parse_number(const char *setting, const char *text, unsigned int min, unsigned int max,
			unsigned int *value)
{
	unsigned int number;

	if (kstrtouint(text, 10, &number) || number < min || number > max) {
		pr_err_ratelimited("%s: invalid number %*pE, must be from %u to %u\n", setting,
				   log_length(text), text, min, max);
		return -EINVAL;
	}

	*value = number;
	return 0;
}

/* Returns the index of a word, or -EINVAL with the allowed words in the log. */
static int parse_word(const char *setting, const char *text, const char * const *words,
		      unsigned int nr)
{
	int word = __sysfs_match_string(words, nr, text), at = 0;
	char allowed[64];
	unsigned int i;

	if (word >= 0)
		return word;

	for (i = 0; i < nr; i++)
		at += scnprintf(allowed + at, sizeof(allowed) - at, " %s", words[i]);
	pr_err_ratelimited("%s: invalid value %*pE, must be one of:%s\n", setting,
			   log_length(text), text, allowed);
	return -EINVAL;
}

static int parse_flag(const char *setting, const char *text, bool *flag)
{
	unsigned int value;
	int ret = parse_number(setting, text, 0, 1, &value);

	if (!ret)
		*flag = value;
	return ret;
}

#define SHOW_NUMBER(_name)						\
	static int _name##_show(const struct n3t_config *config, char *buf) \
	{								\
		return sysfs_emit(buf, "%u\n", config->settings._name);	\
	}

#define NUMBER(_name, _min, _max)					\
	SHOW_NUMBER(_name)						\
	static int _name##_parse(struct n3t_settings *settings, const char *text) \
	{								\
		return parse_number(#_name, text, _min, _max, &settings->_name); \
	}

NUMBER(slice_ms, N3T_SLICE_MS_MIN, N3T_SLICE_MS_MAX)
NUMBER(max_cost, 0, N3T_MAX_COST_MAX)
NUMBER(reserved_counters, 0, N3T_MAX_COUNTERS)
SHOW_NUMBER(enable)
SHOW_NUMBER(replicates)
SHOW_NUMBER(container_pieces)

static int enable_parse(struct n3t_settings *settings, const char *text)
{
	int ret = parse_flag("enable", text, &settings->enable);

	if (!ret)
		settings->enables += settings->enable;
	return ret;
}

static int replicates_parse(struct n3t_settings *settings, const char *text)
{
	return parse_flag("replicates", text, &settings->replicates);
}

static int container_pieces_parse(struct n3t_settings *settings, const char *text)
{
	unsigned int pieces;

	if (kstrtouint(text, 10, &pieces) || pieces > N3T_PIECES_MAX ||
	    (pieces && pieces < N3T_PIECES_MIN)) {
		pr_err_ratelimited("container_pieces: invalid number %*pE, must be 0 or from %u to %u\n",
				   log_length(text), text, N3T_PIECES_MIN, N3T_PIECES_MAX);
		return -EINVAL;
	}
	settings->container_pieces = pieces;
	return 0;
}

static int window_ms_show(const struct n3t_config *config, char *buf)
{
	const struct n3t_plan *plan = n3t_config_plan(config, config->nominal);
	unsigned int window_ms = n3t_cpus_window(config);

	/* While no CPU is sampled, show the window that would be used. */
	if (!window_ms)
		window_ms = plan ? n3t_config_window(config, plan, config->settings.slice_ms) :
				   config->settings.window_ms;
	return sysfs_emit(buf, "%u\n", window_ms);
}

static int window_ms_parse(struct n3t_settings *settings, const char *text)
{
	return parse_number("window_ms", text, 1, N3T_WINDOW_MS_MAX, &settings->window_ms);
}

static const char * const contention_words[] = {
	[N3T_CONTENTION_YIELD] = "yield",
	[N3T_CONTENTION_SHARE] = "share",
};

static int contention_show(const struct n3t_config *config, char *buf)
{
	return sysfs_emit(buf, "%s\n", contention_words[config->settings.contention]);
}

static int contention_parse(struct n3t_settings *settings, const char *text)
{
	int word = parse_word("contention", text, contention_words, ARRAY_SIZE(contention_words));

	if (word < 0)
		return word;

	settings->contention = word;
	return 0;
}

/* Direct access is not among them: auto prefers it wherever it works. */
static const char * const switch_words[] = { "auto", "in-place", "perf" };
static const enum n3t_switch switches[ARRAY_SIZE(switch_words)] = {
	N3T_SWITCH_AUTO, N3T_SWITCH_IN_PLACE, N3T_SWITCH_PERF,
};

static int switch_show(const struct n3t_config *config, char *buf)
{
	unsigned int word = 0;

	while (switches[word] != config->settings.switching)
		word++;
	return sysfs_emit(buf, "%s\n", switch_words[word]);
}

static int switch_parse(struct n3t_settings *settings, const char *text)
{
	int word = parse_word("switch", text, switch_words, ARRAY_SIZE(switch_words));

	if (word < 0)
		return word;

	settings->switching = switches[word];
	return 0;
}

/* Calls @take for each word of a text, which must not be empty. */
static int parse_words(const char *setting, struct n3t_settings *settings, const char *text,
		       int (*take)(struct n3t_settings *settings, const char *word))
{
	char *copy = kstrdup(text, GFP_KERNEL);
	char *rest = copy;
	bool any = false;
	char *word;
	int ret = 0;

	if (!copy)
		return -ENOMEM;

	while (!ret && (word = strsep(&rest, SEPARATORS))) {
		if (!*word)
			continue;
		ret = take(settings, word);
		any = true;
	}

	kfree(copy);
	if (any)
		return ret;
	pr_err_ratelimited("%s: empty list\n", setting);
	return -EINVAL;
}

static void choose_specified(unsigned long *groups)
{
	unsigned int group;

	for (group = 0; group < N3T_NR_GROUPS; group++)
		if (n3t_groups[group].stage)
			__set_bit(group, groups);
}

static int take_group(struct n3t_settings *settings, const char *word)
{
	int group;

	if (!strcmp(word, "all")) {
		choose_specified(settings->groups);
		return 0;
	}

	group = n3t_group_by_name(word);
	if (group < 0) {
		pr_err_ratelimited("groups: unknown metric group %*pE\n", log_length(word), word);
		return -EINVAL;
	}
	__set_bit(group, settings->groups);
	return 0;
}

static int groups_parse(struct n3t_settings *settings, const char *text)
{
	bitmap_zero(settings->groups, N3T_NR_GROUPS);
	return parse_words("groups", settings, text, take_group);
}

static int groups_show(const struct n3t_config *config, char *buf)
{
	unsigned int group;
	int at = 0;

	for_each_set_bit(group, config->settings.groups, N3T_NR_GROUPS)
		at += sysfs_emit_at(buf, at, "%s%s", at ? " " : "", n3t_groups[group].file);
	return at + sysfs_emit_at(buf, at, "\n");
}

/* Parses a name, old or new, or a hexadecimal number: 0x... */
static int event_code(const char *word)
{
	int event = n3t_event_by_name(word);
	u16 code;

	if (event >= 0 && n3t_pmu_names_apply(n3t_events[event].code))
		return n3t_events[event].countable ? n3t_events[event].code : -EINVAL;
	/* The digits alone could be a name. */
	if (strncasecmp(word, "0x", 2) || kstrtou16(word, 16, &code))
		return -EINVAL;

	event = n3t_event_by_code(code);
	return event < 0 || n3t_events[event].countable ? code : -EINVAL;
}

static int emit_event(char *buf, int at, const char *separator, u16 code)
{
	const char *name = n3t_pmu_event_name(code);

	if (name)
		return sysfs_emit_at(buf, at, "%s%s", separator, name);
	return sysfs_emit_at(buf, at, "%s0x%04x", separator, code);
}

/* Adds events to a file in the syntax of the settings; returns the number of bytes. */
int n3t_emit_events(char *buf, int at, const u16 *codes, unsigned int nr)
{
	const int start = at;
	unsigned int i;

	for (i = 0; i < nr; i++)
		at += emit_event(buf, at, i ? " " : "", codes[i]);
	return at - start + sysfs_emit_at(buf, at, "%s\n", nr ? "" : "none");
}

/* Adds the named event to @codes unless it is present. CPU_CYCLES is in every set. */
static int take_event(const char *setting, u16 *codes, unsigned int *nr, unsigned int max,
		      const char *word)
{
	int code = event_code(word);
	unsigned int i;

	if (code < 0) {
		pr_err_ratelimited("%s: unknown or uncountable event %*pE\n", setting,
				   log_length(word), word);
		return -EINVAL;
	}
	for (i = 0; i < *nr; i++)
		if (codes[i] == code)
			return 0;
	if (code == N3T_CODE_CPU_CYCLES)
		return 0;
	if (*nr == max) {
		pr_err_ratelimited("%s: too many events (max %u), rejecting %*pE\n", setting, max,
				   log_length(word), word);
		return -EINVAL;
	}

	codes[(*nr)++] = code;
	return 0;
}

/* Most CPUs have fewer counters than fit here: n3t_control_commit() checks that. */
static int take_custom(struct n3t_settings *settings, const char *word)
{
	if (!strcmp(word, "none"))
		return 0;
	return take_event("custom", settings->custom, &settings->nr_custom,
			  ARRAY_SIZE(settings->custom), word);
}

static int custom_parse(struct n3t_settings *settings, const char *text)
{
	settings->nr_custom = 0;
	return parse_words("custom", settings, text, take_custom);
}

static int custom_show(const struct n3t_config *config, char *buf)
{
	return n3t_emit_events(buf, 0, config->settings.custom, config->settings.nr_custom);
}

static int take_anchor(struct n3t_settings *settings, const char *word)
{
	struct n3t_anchors *anchors = &settings->anchors;

	if (!strcmp(word, "none"))
		return 0;
	return take_event("anchors", anchors->code, &anchors->nr, ARRAY_SIZE(anchors->code), word);
}

static int anchors_parse(struct n3t_settings *settings, const char *text)
{
	memset(&settings->anchors, 0, sizeof(settings->anchors));
	settings->anchors.automatic = sysfs_streq(text, "auto");
	if (settings->anchors.automatic)
		return 0;
	return parse_words("anchors", settings, text, take_anchor);
}

/* Shows the setting; the file status of a CPU shows the resulting anchors. */
static int anchors_show(const struct n3t_config *config, char *buf)
{
	const struct n3t_anchors *anchors = &config->settings.anchors;

	if (anchors->automatic)
		return sysfs_emit(buf, "auto\n");
	return n3t_emit_events(buf, 0, anchors->code, anchors->nr);
}

static int take_distrusted(struct n3t_settings *settings, const char *word)
{
	int code, event;

	if (!strcmp(word, "none"))
		return 0;
	code = event_code(word);
	event = code < 0 ? code : n3t_event_by_code(code);
	if (event < 0) {
		pr_err_ratelimited("distrust: unknown or uncountable event %*pE\n",
				   log_length(word), word);
		return -EINVAL;
	}
	__set_bit(event, settings->distrust);
	return 0;
}

static int distrust_parse(struct n3t_settings *settings, const char *text)
{
	bitmap_zero(settings->distrust, N3T_NR_EVENTS);
	return parse_words("distrust", settings, text, take_distrusted);
}

/* All events fit in a page. */
static int distrust_show(const struct n3t_config *config, char *buf)
{
	unsigned int event;
	int at = 0;

	for_each_set_bit(event, config->settings.distrust, N3T_NR_EVENTS)
		at += emit_event(buf, at, at ? " " : "", n3t_events[event].code);
	return at + sysfs_emit_at(buf, at, "%s\n", at ? "" : "none");
}

/* "all" is an empty mask: all CPUs that are not isolated, online now or later. */
static int cpus_parse(struct n3t_settings *settings, const char *text)
{
	cpumask_clear(&settings->cpus);
	if (sysfs_streq(text, "all"))
		return 0;

	if (cpulist_parse(text, &settings->cpus) || cpumask_empty(&settings->cpus) ||
	    !cpumask_subset(&settings->cpus, cpu_possible_mask)) {
		pr_err_ratelimited("cpus: invalid CPU list %*pE\n", log_length(text), text);
		return -EINVAL;
	}
	return 0;
}

static int cpus_show(const struct n3t_config *config, char *buf)
{
	cpumask_var_t cpus;
	unsigned int cpu;
	int at;

	if (!cpumask_empty(&config->settings.cpus))
		return cpumap_print_to_pagebuf(true, buf, &config->settings.cpus);
	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		if (!n3t_sampler_is_isolated(cpu))
			cpumask_set_cpu(cpu, cpus);
	at = cpumap_print_to_pagebuf(true, buf, cpus);
	free_cpumask_var(cpus);
	return at;
}

static struct n3t_setting *to_setting(struct kobj_attribute *attr)
{
	return container_of(attr, struct n3t_setting, attr);
}

static ssize_t setting_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct n3t_config *config = n3t_config_get();
	ssize_t ret = to_setting(attr)->show(config, buf);

	n3t_config_put(config);
	return ret;
}

static ssize_t setting_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			     size_t size)
{
	struct n3t_config *config;
	int ret;

	/* sysfs truncates longer text. */
	if (size >= PAGE_SIZE) {
		pr_err_ratelimited("%s: text exceeds a page\n", attr->attr.name);
		return -EINVAL;
	}

	config = n3t_control_begin();
	if (IS_ERR(config))
		return PTR_ERR(config);

	ret = to_setting(attr)->parse(&config->settings, buf);
	if (ret)
		n3t_control_abort(config);
	else
		ret = n3t_control_commit(config);
	return ret ?: size;
}

/* The probe of context switches is added before, and removed after, the setting changes. */
static ssize_t container_pieces_store(struct kobject *kobj, struct kobj_attribute *attr,
				      const char *buf, size_t size)
{
	struct n3t_settings *settings = kzalloc(sizeof(*settings), GFP_KERNEL);
	ssize_t ret;

	if (!settings)
		return -ENOMEM;
	ret = container_pieces_parse(settings, buf) ?:
	      n3t_containers_begin(settings->container_pieces);
	kfree(settings);
	if (ret)
		return ret;
	ret = setting_store(kobj, attr, buf, size);
	n3t_containers_end();
	return ret;
}

static int param_set(const char *text, const struct kernel_param *param)
{
	const struct n3t_setting *setting = param->arg;

	return setting->parse(&initial.settings, text);
}

static const struct kernel_param_ops param_ops = {
	.set = param_set,
};

#define STORED_SETTING(_name, _store, _description)			\
	static struct n3t_setting _name##_setting = {			\
		.attr = __ATTR(_name, 0644, setting_show, _store),	\
		.show = _name##_show,					\
		.parse = _name##_parse,					\
	};								\
	module_param_cb(_name, &param_ops, &_name##_setting, 0);	\
	MODULE_PARM_DESC(_name, _description)
#define SETTING(_name, _description) STORED_SETTING(_name, setting_store, _description)

SETTING(enable, "Enable sampling: 0 or 1 (default: 1)");
SETTING(slice_ms, "Length of a slice in milliseconds, " __stringify(N3T_SLICE_MS_MIN) " to "
	__stringify(N3T_SLICE_MS_MAX) " (default: " __stringify(N3T_SLICE_MS_DEFAULT) ")");
SETTING(max_cost, "Limit on the cost of slices in millionths of a CPU's time, 0 for none (default: "
	__stringify(N3T_MAX_COST_DEFAULT) ")");
SETTING(window_ms, "Period that values cover in milliseconds, two rotations to "
	__stringify(N3T_WINDOW_MS_MAX) " (default: " __stringify(N3T_WINDOW_MS_DEFAULT) ")");
SETTING(groups, "Metric groups to sample, separated by commas or whitespace (default: all)");
SETTING(anchors, "Events to count in every set, by name or number, auto or none (default: auto)");
SETTING(custom, "Events of a custom set, by name or number (default: none)");
SETTING(distrust, "Events not to count, metrics that need them are unsupported (default: none)");
SETTING(cpus, "CPUs to sample, as a list (default: all except isolated and nohz_full ones)");
SETTING(contention, "Reaction when others wait for counters: yield or share (default: yield)");
SETTING(reserved_counters, "Programmable counters to leave to others on each CPU (default: 0)");
SETTING(replicates, "Total Topdown_L1 over eight random groups of slices: 0 or 1 (default: 0)");
STORED_SETTING(container_pieces, container_pieces_store,
	       "Pieces of tasks' runs to sample per second on each CPU, for containers: 0 or "
	       __stringify(N3T_PIECES_MIN) " to " __stringify(N3T_PIECES_MAX) " (default: 0)");
SETTING(switch, "Method to switch counter sets: auto, in-place or perf (default: auto)");

static struct attribute *attrs[] = {
	&enable_setting.attr.attr,
	&slice_ms_setting.attr.attr,
	&max_cost_setting.attr.attr,
	&window_ms_setting.attr.attr,
	&groups_setting.attr.attr,
	&anchors_setting.attr.attr,
	&custom_setting.attr.attr,
	&distrust_setting.attr.attr,
	&cpus_setting.attr.attr,
	&contention_setting.attr.attr,
	&reserved_counters_setting.attr.attr,
	&replicates_setting.attr.attr,
	&container_pieces_setting.attr.attr,
	&switch_setting.attr.attr,
	NULL
};

const struct attribute_group n3t_settings_group = {
	.attrs = attrs,
};
EXPORT_SYMBOL_IF_KUNIT(n3t_settings_group);

/* The settings from module parameters, defaults for the others. */
const struct n3t_settings *n3t_settings_init(void)
{
	struct n3t_settings *settings = &initial.settings;

	if (bitmap_empty(settings->groups, N3T_NR_GROUPS))
		choose_specified(settings->groups);
	return settings;
}
