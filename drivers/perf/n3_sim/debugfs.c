// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/n3_sim/: workload of each simulated CPU. Not an ABI.
 *
 *   scenarios		names of the scenarios
 *   counters		programmable counters of each CPU, 0 to 31
 *   odd_counters		with split=1: those of odd CPUs; "counters" then
 *			applies to even CPUs
 *   cgroup_rates	cycles and the events of Topdown_L1 follow the running cgroup:
 *			lines "ID KIND RATE..." with counts per second of CPU_CYCLES,
 *			STALL_SLOT, STALL_SLOT_FRONTEND, STALL_SLOT_BACKEND,
 *			STALL_FRONTEND_FLUSH, OP_RETIRED and OP_SPEC; KIND warm, cold:
 *			after a switch from another cgroup, noisy; ID 0 comes first,
 *			for all others. "cold MICROSECONDS", "noise PERIOD MICROSECONDS":
 *			times of the two kinds. "off" ends it.
 *   cpuN/scenario		current scenario; also "custom" and "program" on read
 *   cpuN/rates		counts per second, "MNEMONIC rate" or "0xCODE rate" lines
 *   cpuN/program		repeating phases, "SCENARIO microseconds" lines
 *   cpuN/counts		number of occurrences of each event up to time_ns
 *   cpuN/cgroups		true sums since cgroup_rates was written, by ID and of "idle":
 *			runs, ns and the seven counts, then the last eight again while
 *			counters counted all of them
 *   cpuN/idle		1: no events happen, not even cycles
 *   cpuN/only_cycles	1: all events except CPU_CYCLES count 0
 *   cpuN/taken		programmable counters taken from other users
 *   cpuN/most_used	maximum number of programmable counters in use so far
 *   cpuN/caching		caching of event types by the driver of the CPU's real
 *			PMU: "none"; "skip": skips writing the same type again;
 *			"restore": writes types again whenever it enables the PMU
 *
 * A write with any error fails with EINVAL.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "caching.h"
#include "cgroups.h"
#include "core.h"
#include "debugfs.h"
#include "events.h"
#include "parse.h"
#include "pmu.h"
#include "runs.h"
#include "scenarios.h"
#include "settings.h"
#include "taken.h"

#define MAX_WRITE	SZ_64K

/**
 * struct file_type - one kind of file, accessed under n3_sim_settings_lock
 * @name: name of the file
 * @show: prints it
 * @store: applies a written text; NULL if the file is read-only
 */
struct file_type {
	const char *name;
	int (*show)(struct seq_file *seq, unsigned int cpu);
	int (*store)(unsigned int cpu, char *text);
};

/* A file in debugfs: its i_private. */
struct file_node {
	const struct file_type *type;
	unsigned int cpu;
};

static struct dentry *debugfs_dir;
static struct file_node *file_nodes;

static int parse_uint(char *text, unsigned int max, unsigned int *value)
{
	text = strim(text);
	if (*text < '0' || *text > '9')
		return -EINVAL;
	if (kstrtouint(text, 10, value) || *value > max)
		return -EINVAL;
	return 0;
}

/* Name of a phase; custom rates have none. */
static const char *phase_name(const struct n3_sim_phase *phase)
{
	const struct n3_sim_scenario *scenario;

	if (!phase->rates)
		return "idle";
	scenario = n3_sim_scenario_by_rates(phase->rates);
	return scenario ? scenario->name : "custom";
}

static const struct n3_sim_script *script_of(unsigned int cpu)
{
	lockdep_assert_held(&n3_sim_settings_lock);
	return &per_cpu_ptr(n3_sim_cores, cpu)->script;
}

/* Files of a PMU: @cpu is one of its CPUs */

static int scenarios_show(struct seq_file *seq, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < N3_SIM_NR_SCENARIOS; i++)
		seq_printf(seq, "%s\n", n3_sim_scenarios[i].name);
	return 0;
}

static int counters_show(struct seq_file *seq, unsigned int cpu)
{
	seq_printf(seq, "%u\n", n3_sim_counters(cpu));
	return 0;
}

static int counters_store(unsigned int cpu, char *text)
{
	unsigned int counters;

	if (parse_uint(text, N3T_MAX_COUNTERS, &counters))
		return -EINVAL;

	n3_sim_set_counters(cpu, counters);
	n3_sim_reschedule();
	return 0;
}

static int cgroup_rates_show(struct seq_file *seq, unsigned int cpu)
{
	const struct n3_sim_owners *owners = n3_sim_cgroups();

	if (owners)
		seq_printf(seq, "%u cgroups\n", owners->nr - 1);
	else
		seq_puts(seq, "off\n");
	return 0;
}

static int cgroup_rates_store(unsigned int cpu, char *text)
{
	struct n3_sim_owners *owners;
	int err;

	if (sysfs_streq(text, "off")) {
		n3_sim_cgroups_stop();
		return 0;
	}
	owners = kvzalloc(sizeof(*owners), GFP_KERNEL);
	if (!owners)
		return -ENOMEM;
	err = n3_sim_parse_owners(text, owners) ?: n3_sim_cgroups_start(owners);
	if (err)
		kvfree(owners);
	return err;
}

/* Files of a CPU */

static int scenario_show(struct seq_file *seq, unsigned int cpu)
{
	const struct n3_sim_script *script = script_of(cpu);

	seq_printf(seq, "%s\n", script->period_ns ? "program" : phase_name(&script->phase[0]));
	return 0;
}

static int scenario_store(unsigned int cpu, char *text)
{
	const struct n3_sim_scenario *scenario = n3_sim_scenario_by_name(strim(text));
	struct n3_sim_script script;

	if (!scenario)
		return -EINVAL;

	n3_sim_script_constant(&script, scenario->rates);
	return n3_sim_set_script(cpu, &script);
}

static int rates_show(struct seq_file *seq, unsigned int cpu)
{
	const struct n3_sim_phase *phase;
	unsigned int event;
	int err;

	err = n3_sim_get_phase(cpu, &phase);
	if (err)
		return err;

	for (event = 0; event < N3T_NR_EVENTS; event++)
		if (n3_sim_events[event].countable)
			seq_printf(seq, "%s %llu\n", n3_sim_events[event].name,
				   phase->rates ? phase->rates[event] : 0);
	return 0;
}

/* Events that are not listed keep their current rates. */
static int rates_store(unsigned int cpu, char *text)
{
	const struct n3_sim_phase *phase;
	u64 *rates;
	int err;

	rates = kcalloc(N3T_NR_EVENTS, sizeof(*rates), GFP_KERNEL);
	if (!rates)
		return -ENOMEM;

	err = n3_sim_get_phase(cpu, &phase);
	if (err)
		goto out_free;
	if (phase->rates)
		memcpy(rates, phase->rates, N3T_NR_EVENTS * sizeof(*rates));

	err = n3_sim_parse_rates(text, rates);
	if (!err)
		err = n3_sim_set_rates(cpu, rates);

out_free:
	kfree(rates);
	return err;
}

static int program_show(struct seq_file *seq, unsigned int cpu)
{
	const struct n3_sim_script *script = script_of(cpu);
	unsigned int i;

	if (!script->period_ns)
		return 0;

	for (i = 0; i < script->nr; i++)
		seq_printf(seq, "%s %llu\n", phase_name(&script->phase[i]),
			   script->phase[i].ns / NSEC_PER_USEC);
	return 0;
}

static int program_store(unsigned int cpu, char *text)
{
	struct n3_sim_script script;
	int err;

	err = n3_sim_parse_program(text, &script);
	if (err)
		return err;
	return n3_sim_set_script(cpu, &script);
}

static int counts_show(struct seq_file *seq, unsigned int cpu)
{
	struct n3_sim_counts *counts;
	unsigned int event;
	int err;

	counts = kzalloc(sizeof(*counts), GFP_KERNEL);
	if (!counts)
		return -ENOMEM;

	err = n3_sim_get_counts(cpu, counts);
	if (err)
		goto out_free;

	seq_printf(seq, "time_ns %llu\n", counts->now_ns);
	for (event = 0; event < N3T_NR_EVENTS; event++)
		if (n3_sim_events[event].countable)
			seq_printf(seq, "%s %llu\n", n3_sim_events[event].name,
				   counts->count[event]);
out_free:
	kfree(counts);
	return err;
}

static int idle_show(struct seq_file *seq, unsigned int cpu)
{
	seq_printf(seq, "%d\n", per_cpu_ptr(n3_sim_cores, cpu)->idle);
	return 0;
}

static int idle_store(unsigned int cpu, char *text)
{
	unsigned int idle;

	if (parse_uint(text, 1, &idle))
		return -EINVAL;
	return n3_sim_set_idle(cpu, idle);
}

static int only_cycles_show(struct seq_file *seq, unsigned int cpu)
{
	seq_printf(seq, "%d\n", per_cpu_ptr(n3_sim_cores, cpu)->only_cycles);
	return 0;
}

static int only_cycles_store(unsigned int cpu, char *text)
{
	unsigned int only_cycles;

	if (parse_uint(text, 1, &only_cycles))
		return -EINVAL;
	return n3_sim_set_only_cycles(cpu, only_cycles);
}

static int taken_show(struct seq_file *seq, unsigned int cpu)
{
	seq_printf(seq, "%u\n", n3_sim_taken(cpu));
	return 0;
}

static int taken_store(unsigned int cpu, char *text)
{
	unsigned int nr;

	if (parse_uint(text, n3_sim_counters(cpu), &nr))
		return -EINVAL;
	return n3_sim_take(cpu, nr);
}

static int most_used_show(struct seq_file *seq, unsigned int cpu)
{
	seq_printf(seq, "%u\n", READ_ONCE(per_cpu_ptr(n3_sim_cores, cpu)->most_used));
	return 0;
}

static const char * const caching_words[] = {
	[N3_SIM_CACHING_NONE] = "none",
	[N3_SIM_CACHING_SKIP] = "skip",
	[N3_SIM_CACHING_RESTORE] = "restore",
};

static int caching_show(struct seq_file *seq, unsigned int cpu)
{
	seq_printf(seq, "%s\n", caching_words[n3_sim_caching(cpu)]);
	return 0;
}

static int caching_store(unsigned int cpu, char *text)
{
	int word = sysfs_match_string(caching_words, text);

	return word < 0 ? -EINVAL : n3_sim_set_caching(cpu, word);
}

static const struct file_type pmu_files[] = {
	{ "scenarios",		scenarios_show },
	{ "counters",		counters_show,		counters_store },
	{ "cgroup_rates",	cgroup_rates_show,	cgroup_rates_store },
};

static const struct file_type odd_pmu_files[] = {
	{ "odd_counters",	counters_show,		counters_store },
};

static const struct file_type cpu_files[] = {
	{ "scenario",		scenario_show,		scenario_store },
	{ "rates",		rates_show,		rates_store },
	{ "program",		program_show,		program_store },
	{ "counts",		counts_show },
	{ "cgroups",		n3_sim_cgroups_show },
	{ "idle",		idle_show,		idle_store },
	{ "only_cycles",	only_cycles_show,	only_cycles_store },
	{ "taken",		taken_show,		taken_store },
	{ "most_used",		most_used_show },
	{ "caching",		caching_show,		caching_store },
};

/* Common to all files */

static int file_show(struct seq_file *seq, void *unused)
{
	const struct file_node *node = seq->private;
	int err;

	err = mutex_lock_killable(&n3_sim_settings_lock);
	if (err)
		return err;
	err = node->type->show(seq, node->cpu);
	mutex_unlock(&n3_sim_settings_lock);
	return err;
}

static int file_open(struct inode *inode, struct file *file)
{
	return single_open(file, file_show, inode->i_private);
}

static ssize_t file_write(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	const struct file_node *node = file_inode(file)->i_private;
	char *text;
	int err;

	if (count > MAX_WRITE)
		return -EINVAL;

	text = memdup_user_nul(buf, count);
	if (IS_ERR(text))
		return PTR_ERR(text);

	err = mutex_lock_killable(&n3_sim_settings_lock);
	if (!err) {
		err = node->type->store(node->cpu, text);
		mutex_unlock(&n3_sim_settings_lock);
	}

	kfree(text);
	return err ?: count;
}

static const struct file_operations file_fops = {
	.owner		= THIS_MODULE,
	.open		= file_open,
	.read		= seq_read,
	.write		= file_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* As usual for debugfs, a file that cannot be created is just missing. */
static struct file_node *create_files(struct file_node *node, struct dentry *dir, unsigned int cpu,
				      const struct file_type *types, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++, node++) {
		node->type = &types[i];
		node->cpu = cpu;
		debugfs_create_file(types[i].name, types[i].store ? 0600 : 0400,
				    dir, node, &file_fops);
	}
	return node;
}

/**
 * n3_sim_debugfs_init() - create the files
 * @split: there are two PMUs
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int n3_sim_debugfs_init(bool split)
{
	struct file_node *node;
	struct dentry *dir;
	unsigned int cpu;
	char name[16];

	file_nodes = kcalloc(ARRAY_SIZE(pmu_files) + ARRAY_SIZE(odd_pmu_files) +
			     ARRAY_SIZE(cpu_files) * num_possible_cpus(),
			     sizeof(*file_nodes), GFP_KERNEL);
	if (!file_nodes)
		return -ENOMEM;

	debugfs_dir = debugfs_create_dir("n3_sim", NULL);
	node = create_files(file_nodes, debugfs_dir, 0, pmu_files, ARRAY_SIZE(pmu_files));
	if (split)
		node = create_files(node, debugfs_dir, 1, odd_pmu_files, ARRAY_SIZE(odd_pmu_files));
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%u", cpu);
		dir = debugfs_create_dir(name, debugfs_dir);
		node = create_files(node, dir, cpu, cpu_files, ARRAY_SIZE(cpu_files));
	}
	return 0;
}

/**
 * n3_sim_debugfs_exit() - undo n3_sim_debugfs_init()
 *
 * Context: may sleep.
 */
void n3_sim_debugfs_exit(void)
{
	debugfs_remove(debugfs_dir);
	kfree(file_nodes);
}
