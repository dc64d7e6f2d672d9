// SPDX-License-Identifier: GPL-2.0
/*
 * PMUs in use, and the CPUs that they count on.
 *
 * The CPUs of a system can have several PMUs: with ACPI the driver creates one
 * per MIDR revision, with a device tree one per node. So each CPU is probed for
 * its PMU: a raw event finds it, or the PMUs named by the user are tried in
 * order.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/perf_event.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "libn3t/core.h"
#include "libn3t/formula.h"
#include "libn3t/n3t.h"
#include "libn3t/spec.h"
#include "midr.h"
#include "pmu.h"

/* Grows at load and under CPU hotplug; shrinks only at unload. */
static struct n3t_pmu pmus[N3T_MAX_PMUS];
static unsigned int nr_pmus;
static bool by_name;

/* Written at load, and under CPU hotplug until settled. */
static struct n3t_cores cores;

/* All known PMUs, for use in this file; n3t_pmu_next() iterates over those in use. */
#define for_each_pmu(pmu, index) \
	for ((index) = 0; ((pmu) = pmu_get(index)); (index)++)

static struct n3t_pmu *pmu_get(unsigned int index)
{
	/* Pairs with smp_store_release() in add_pmu(). */
	return index < smp_load_acquire(&nr_pmus) ? &pmus[index] : NULL;
}

/* The PMU in use after @pmu, the first if that is NULL; NULL after the last one. */
struct n3t_pmu *n3t_pmu_next(struct n3t_pmu *pmu)
{
	unsigned int i = pmu ? pmu - pmus + 1 : 0;

	while ((pmu = pmu_get(i++)) && !READ_ONCE(pmu->used))
		;
	return pmu;
}

/* Did the user name the PMUs to use? Otherwise each CPU uses its own. */
bool n3t_pmu_by_name(void)
{
	return by_name;
}

/* The cores that are sampled; none is found if the user named the PMUs to use. */
const struct n3t_cores *n3t_pmu_cores(void)
{
	return &cores;
}

/* Does the name of an event apply to its number on these cores? */
bool n3t_pmu_names_apply(u16 code)
{
	return !cores.others || n3t_event_is_common(code);
}

/* The name of an event, or NULL if none applies to the number on the machine's cores. */
const char *n3t_pmu_event_name(u16 code)
{
	int event = n3t_event_by_code(code);

	return event >= 0 && n3t_pmu_names_apply(code) ? n3t_events[event].name : NULL;
}

static void read_midr(void *info)
{
	n3t_midr_read(info);
}

static struct perf_event *probe_event(u32 type, u64 config, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
		.disabled = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

/* Only for PMUs of the cores. */
static void use_id_registers(struct n3t_pmu *pmu, const struct n3t_midr *midr)
{
	/* Narrower counters overflow several times per second, with an interrupt. */
	pmu->long_counters = midr->long_counters;
	pmu->nominal = midr->counters;
	memcpy(pmu->pmceid, midr->pmceid, sizeof(midr->pmceid));
}

/* Takes a reference to the PMU's module: perf holds one only while events exist. */
static struct n3t_pmu *add_pmu(struct pmu *pmu, const struct n3t_midr *midr)
{
	struct n3t_pmu *added = &pmus[nr_pmus];

	if (nr_pmus == N3T_MAX_PMUS) {
		pr_err_once("too many PMUs (max %d), ignoring %s\n", N3T_MAX_PMUS, pmu->name);
		return ERR_PTR(-E2BIG);
	}
	if (!try_module_get(pmu->module))
		return ERR_PTR(-ENODEV);

	added->pmu = pmu;
	if (midr)
		use_id_registers(added, midr);
	/* The contents are visible before the number that includes them: pmu_get(). */
	smp_store_release(&nr_pmus, nr_pmus + 1);
	return added;
}

static struct n3t_pmu *find_pmu(const struct pmu *pmu)
{
	struct n3t_pmu *found;
	unsigned int i;

	for_each_pmu(found, i)
		if (found->pmu == pmu)
			return found;
	return NULL;
}

/* perf returns the same error without a PMU and without a driver. */
static void report_unusable_pmu(unsigned int cpu, const struct n3t_midr *midr, long error)
{
	if (midr->has_pmu)
		pr_err_once("CPU %u has a PMU, but perf has none (error %ld): missing in device tree or ACPI, or no driver\n",
			    cpu, error);
	else
		pr_err_once("CPU %u has no PMU (ID_AA64DFR0_EL1), disabled by a hypervisor or firmware\n",
			    cpu);
}

/* The PMU of an accepted core, found through a raw event. */
static int own_pmu(unsigned int cpu, struct n3t_pmu **pmu)
{
	struct perf_event *event;
	struct n3t_midr midr;
	int ret;

	ret = smp_call_function_single(cpu, read_midr, &midr, true);
	if (ret)
		return ret;
	if (!n3t_cores_accept(&cores, midr.midr, midr.slots))
		return -ENOENT;

	event = probe_event(PERF_TYPE_RAW, N3T_CODE_CPU_CYCLES, cpu);
	if (PTR_ERR(event) == -ENOMEM)
		return -ENOMEM;
	if (IS_ERR(event)) {
		report_unusable_pmu(cpu, &midr, PTR_ERR(event));
		return -ENODEV;
	}

	*pmu = find_pmu(event->pmu) ?: add_pmu(event->pmu, &midr);
	perf_event_release_kernel(event);
	return PTR_ERR_OR_ZERO(*pmu);
}

/* An uncore PMU counts on a CPU of its own choice, not on the requested one. */
static int check_pmu(struct n3t_pmu *pmu, unsigned int cpu)
{
	struct perf_event *event = n3t_pmu_event(pmu, cpu, N3T_CODE_CPU_CYCLES, true);

	if (!IS_ERR(event))
		perf_event_release_kernel(event);
	return PTR_ERR_OR_ZERO(event);
}

/* A named PMU is simulated unless a raw event on its first CPU leads to it. */
static int detect_simulated(struct n3t_pmu *pmu, unsigned int cpu)
{
	struct perf_event *event = probe_event(PERF_TYPE_RAW, N3T_CODE_CPU_CYCLES, cpu);
	struct n3t_midr midr;
	int ret;

	if (PTR_ERR(event) == -ENOMEM)
		return -ENOMEM;

	pmu->simulated = IS_ERR(event) || event->pmu != pmu->pmu;
	if (!IS_ERR(event))
		perf_event_release_kernel(event);
	if (pmu->simulated)
		return 0;

	ret = smp_call_function_single(cpu, read_midr, &midr, true);
	if (!ret)
		use_id_registers(pmu, &midr);
	return ret;
}

/* The first PMU named by the user that supports the CPU. */
static int named_pmu(unsigned int cpu, struct n3t_pmu **pmu)
{
	unsigned int i;
	int ret;

	for_each_pmu(*pmu, i) {
		ret = check_pmu(*pmu, cpu);
		if (!ret && !(*pmu)->used)
			ret = detect_simulated(*pmu, cpu);
		if (ret != -ENOENT)
			return ret;
	}
	return -ENOENT;
}

/**
 * n3t_pmu_of_cpu() - find the PMU that counts on a CPU
 * @cpu: the CPU, online
 * @pmu: set to the PMU, or NULL
 *
 * Context: may sleep; at load, in a CPU hotplug callback, or in a change of settings.
 * Return: 0; -ENOENT if the core is not accepted or no named PMU supports the CPU;
 * -ENODEV if perf cannot use its PMU; -E2BIG for too many PMUs; -EXDEV for a PMU
 * that counts elsewhere; -EPERM if the kernel is locked down; -ENOMEM.
 */
int n3t_pmu_of_cpu(unsigned int cpu, struct n3t_pmu **pmu)
{
	int ret = by_name ? named_pmu(cpu, pmu) : own_pmu(cpu, pmu);

	if (ret)
		*pmu = NULL;
	else
		WRITE_ONCE((*pmu)->used, true);
	return ret;
}

static void report_no_core(void)
{
	unsigned int i;

	if (cores.nr == 1 && cores.model[0] == N3T_CORE_n3)
		pr_err("no Neoverse N3 CPU found (MIDR part 0x%03x)\n", N3T_MIDR_PART(N3T_CORE_n3));
	else
		for (i = 0; i < cores.nr; i++)
			pr_err("no CPU matches core=: %s (MIDR part 0x%03x)\n",
			       n3t_core_name(cores.model[i]), N3T_MIDR_PART(cores.model[i]));
	if (cores.refused && cores.refused->model == N3T_CORE_n3)
		pr_err("this machine has a Neoverse N3: load without core=\n");
	else if (cores.refused)
		pr_err("core=%s admits the %s of this machine, for rehearsal only\n",
		       cores.refused->word, cores.refused->name);
}

/* Warnings, so that numbers of another core are not mistaken for Neoverse N3. */
static void __init report_cores(void)
{
	unsigned int i, nr_available = 0;

	if (cores.pmmir)
		pr_warn("PMMIR_EL1 reports %u slots per cycle, unexpected for a %s\n",
			cores.pmmir, n3t_core_name(cores.pmmir_model));
	if (!cores.others)
		return;
	for (i = 0; i < N3T_NR_METRICS; i++)
		nr_available += n3t_metric_is_available(i);
	pr_warn("NOT A NEOVERSE N3: %s (MIDR part 0x%03x), for rehearsal only\n",
		n3t_core_name(cores.found), N3T_MIDR_PART(cores.found));
	pr_warn("%u of %u metrics available (architectural events only), others disabled\n",
		nr_available, N3T_NR_METRICS);
	if (cores.slots)
		pr_warn("%u slots per cycle%s\n", cores.slots,
			n3t_cores_bounds(&cores));
	else
		pr_warn("slots per cycle unknown or different, Topdown_L1 disabled\n");
}

static void __init settle_cores(void)
{
	if (cores.found)
		n3t_formula_adapt(cores.others, cores.slots, !cores.lower_bound);
	cores.settled = true;
	report_cores();
}

static int use_own_pmus(void)
{
	int ret, error = -ENOENT;
	struct n3t_pmu *pmu;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		ret = n3t_pmu_of_cpu(cpu, &pmu);
		if (ret == -ENOMEM)
			return ret;
		if (ret && ret != -ENOENT)
			error = ret;
	}
	if (nr_pmus)
		return 0;
	if (error == -ENOENT)
		report_no_core();
	return -ENODEV;
}

/*
 * perf does not export its list of PMUs, but each has a device on one bus, and
 * any event leads to that bus: the dummy software event exists everywhere.
 */
static int use_named_pmu(const struct bus_type *bus, const char *name)
{
	struct device *dev = bus_find_device_by_name((struct bus_type *)bus, NULL, name);
	struct n3t_pmu *added;

	if (!dev) {
		pr_err("PMU \"%s\" not found, is its module loaded?\n", name);
		return -ENODEV;
	}
	added = find_pmu(dev_get_drvdata(dev)) ?: add_pmu(dev_get_drvdata(dev), NULL);
	put_device(dev);
	return PTR_ERR_OR_ZERO(added);
}

/* Checks every online CPU, so that an unusable PMU is refused at load. */
static int check_named_pmu(struct n3t_pmu *pmu)
{
	unsigned int cpu;
	int ret;

	for_each_online_cpu(cpu) {
		ret = check_pmu(pmu, cpu);
		if (!ret || ret == -ENOENT)
			continue;
		if (ret == -ENOMEM)
			return ret;
		if (ret == -EXDEV)
			pr_err("PMU %s counts on a different CPU than requested: not a CPU PMU\n",
			       pmu->pmu->name);
		else
			pr_err("PMU %s does not count CPU_CYCLES on CPU %u (error %d): not a CPU PMU\n",
			       pmu->pmu->name, cpu, ret);
		return -EINVAL;
	}
	return 0;
}

static int check_named_pmus(void)
{
	struct n3t_pmu *pmu;
	unsigned int cpu, i;
	bool any = false;
	int ret;

	for_each_pmu(pmu, i) {
		ret = check_named_pmu(pmu);
		if (ret)
			return ret;
	}
	for_each_online_cpu(cpu)
		any |= !n3t_pmu_of_cpu(cpu, &pmu);
	if (!any) {
		pr_err("no CPU is supported by the PMUs in pmu=\n");
		return -ENODEV;
	}

	for_each_pmu(pmu, i)
		if (!pmu->used)
			pr_warn("PMU %s is unused: no online CPU needs it\n",
				pmu->pmu->name);
	return 0;
}

static int use_named_pmus(const char *names)
{
	char *copy = kstrdup(names, GFP_KERNEL);
	struct perf_event *event;
	char *rest = copy;
	char *name;
	int ret = 0;

	if (!copy)
		return -ENOMEM;

	event = probe_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
			    cpumask_first(cpu_online_mask));
	if (IS_ERR(event)) {
		ret = PTR_ERR(event);
		goto out_free;
	}

	by_name = true;
	while (!ret && (name = strsep(&rest, ",")))
		ret = event->pmu->dev ? use_named_pmu(event->pmu->dev->bus, name) : -ENODEV;
	perf_event_release_kernel(event);
	if (!ret)
		ret = check_named_pmus();
out_free:
	kfree(copy);
	return ret;
}

static int __init choose_cores(const char *names, const char *core)
{
	if (*names && *core) {
		pr_err("core=%s cannot be combined with pmu=\n", core);
		return -EINVAL;
	}
	if (!n3t_cores_parse(&cores, core))
		return 0;
	pr_err("invalid core=%s: not a list of MIDR parts (0xd4f) or names (n1, n2, n3, v1, v2, v3, v3ae), max %u\n",
	       core, N3T_MAX_CORES);
	return -EINVAL;
}

/**
 * n3t_pmu_init() - find the PMUs to use
 * @names: names of PMUs in /sys/bus/event_source/devices, separated by commas, or
 *	"" for those of the cores
 * @core: the cores to use, in the syntax of n3t_cores_parse(); "" for Neoverse N3
 *
 * Adapts the metrics to the cores. A PMU named by the user is used regardless of
 * the type of its CPUs.
 *
 * Context: may sleep; not under the CPU hotplug lock; after n3t_formula_init().
 * Return: 0, or an error with the reason in the kernel log: -ENODEV if no such PMU
 * or core exists; -EINVAL for a PMU that does not count on the requested CPU, or
 * for cores that cannot be parsed; -E2BIG for too many PMUs; -ENOMEM.
 */
int __init n3t_pmu_init(const char *names, const char *core)
{
	int ret = choose_cores(names, core);

	if (ret)
		return ret;

	cpus_read_lock();
	ret = *names ? use_named_pmus(names) : use_own_pmus();
	if (!ret)
		settle_cores();
	cpus_read_unlock();
	if (ret)
		n3t_pmu_exit();
	return ret;
}

/* Releases the PMUs; none of their events is left. */
void n3t_pmu_exit(void)
{
	while (nr_pmus)
		module_put(pmus[--nr_pmus].pmu->module);
}

/* Most counters to hold: N3T_MAX_COUNTERS if none are reserved, 0 if all that were found are. */
unsigned int n3t_pmu_target(const struct n3t_pmu *pmu, unsigned int reserved)
{
	unsigned int nominal = n3t_pmu_nominal(pmu);

	if (!reserved)
		return N3T_MAX_COUNTERS;
	return nominal > reserved ? nominal - reserved : 0;
}

/* Records the number of counters found on a CPU; true if that is a new maximum. */
bool n3t_pmu_update_nominal(struct n3t_pmu *pmu, unsigned int counters)
{
	unsigned int nominal = READ_ONCE(pmu->nominal);

	while (counters > nominal) {
		unsigned int before = cmpxchg(&pmu->nominal, nominal, counters);

		if (before == nominal)
			return true;
		nominal = before;
	}
	return false;
}

/**
 * n3t_pmu_hides_event() - check whether PMCEID reports an event as missing
 * @pmu: the PMU
 * @code: event number
 *
 * Informational only: hypervisors hide events that count nevertheless.
 *
 * Return: true if PMCEID reports it as not implemented; false also for events that
 * PMCEID does not cover.
 */
bool n3t_pmu_hides_event(const struct n3t_pmu *pmu, u16 code)
{
	if (pmu->simulated)
		return false;
	if (code >= N3T_PMCEID_EXTENDED && code < N3T_PMCEID_EXTENDED + N3T_PMCEID_EVENTS)
		return !(pmu->pmceid[1] >> (code - N3T_PMCEID_EXTENDED) & 1);
	return code < N3T_PMCEID_EVENTS && !(pmu->pmceid[0] >> code & 1);
}

/**
 * n3t_pmu_is_locked_down() - check whether lockdown forbids counting
 *
 * Lockdown can begin at any time, and never ends.
 *
 * Context: any.
 * Return: true if counting is forbidden.
 */
bool n3t_pmu_is_locked_down(void)
{
	static bool locked_down;

	/* security_locked_down() logs each denial, so remember the first. */
	if (!READ_ONCE(locked_down) && security_locked_down(LOCKDOWN_PERF))
		WRITE_ONCE(locked_down, true);
	return READ_ONCE(locked_down);
}

/**
 * n3t_pmu_event() - create a perf event on a CPU
 * @pmu: the PMU
 * @cpu: the CPU, online
 * @code: event number
 * @disabled: create it disabled
 *
 * Counts in user space, the kernel, the hypervisor and guests alike. The event is
 * neither pinned nor grouped: perf may find no counter for it (see design.rst).
 *
 * Context: may sleep.
 * Return: the event, for perf_event_release_kernel(), or an error pointer: -EXDEV
 * if it would count on another CPU; -EPERM if the kernel is locked down.
 */
struct perf_event *n3t_pmu_event(const struct n3t_pmu *pmu, unsigned int cpu, u16 code,
				 bool disabled)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = pmu->pmu->type,
		.config = code,
		.config1 = pmu->long_counters,	/* format/long of armv8_pmuv3 */
		.disabled = disabled,
	};
	struct perf_event *event;

	/* perf checks lockdown only for user space. */
	if (n3t_pmu_is_locked_down())
		return ERR_PTR(-EPERM);

	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(event) || event->cpu == cpu)
		return event;

	perf_event_release_kernel(event);
	return ERR_PTR(-EXDEV);
}

/**
 * n3t_pmu_switch() - get the method that switches counter sets on a PMU
 * @pmu: the PMU
 * @setting: N3T_SWITCH_AUTO, or the cheapest method allowed
 *
 * Context: any.
 * Return: the cheapest method, from @setting on, that passed the self-test;
 * N3T_SWITCH_UNKNOWN if a cheaper one has not been tried yet. @pmu->registers is
 * valid if the result is N3T_SWITCH_DIRECT.
 */
enum n3t_switch n3t_pmu_switch(const struct n3t_pmu *pmu, enum n3t_switch setting)
{
	enum n3t_switch how = setting == N3T_SWITCH_AUTO ? N3T_SWITCH_DIRECT : setting;

	for (; how < N3T_SWITCH_PERF; how++) {
		/* Pairs with smp_store_release() in note_trial() in counters.c. */
		enum n3t_trial trial = smp_load_acquire(&pmu->trial[how]);

		if (trial == N3T_TRIAL_PASSED)
			return how;
		if (trial == N3T_TRIAL_NONE)
			return N3T_SWITCH_UNKNOWN;
	}
	return N3T_SWITCH_PERF;
}

/* Permanently rules out direct access to a PMU; true if it was allowed until now. */
bool n3t_pmu_disprove_direct(struct n3t_pmu *pmu)
{
	return xchg(&pmu->trial[N3T_SWITCH_DIRECT], N3T_TRIAL_FAILED) != N3T_TRIAL_FAILED;
}
