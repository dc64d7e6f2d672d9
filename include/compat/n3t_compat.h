/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Compatibility with older kernels. All differences between kernels are confined to
 * this file. The Makefiles include it before everything else; they probe for each
 * interface and reject kernels that are too old (compat.mk). Each entry names the
 * version that introduced the interface, so that it can be removed when the oldest
 * supported kernel moves past it.
 */
#ifndef _N3T_COMPAT_H
#define _N3T_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sysfs.h>
#include <linux/timer.h>

/* 6.2, and 6.1 stable: timer_delete_sync() replaced del_timer_sync() */
#ifndef HAVE_TIMER_DELETE_SYNC
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif

/* 6.9: isolated partitions of cpusets; 7.0: HK_TYPE_DOMAIN follows them instead */
#ifndef HAVE_CPUSET_CPU_IS_ISOLATED
#define cpuset_cpu_is_isolated(cpu) false
#endif
#ifndef HAVE_HK_TYPE_DOMAIN_BOOT
#define HK_TYPE_DOMAIN_BOOT HK_TYPE_DOMAIN
#endif

/* 6.18, and 6.12 stable: system_dfl_wq replaced system_unbound_wq */
#ifndef HAVE_SYSTEM_DFL_WQ
#define system_dfl_wq system_unbound_wq
#endif

/* 6.13: hrtimer_setup() replaced hrtimer_init() and the store to .function */
#ifndef HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* 6.16: timer_container_of() replaced from_timer() */
#ifndef HAVE_TIMER_CONTAINER_OF
#define timer_container_of(var, callback_timer, timer_fieldname)	\
	from_timer(var, callback_timer, timer_fieldname)
#endif

/* 6.13: MODULE_IMPORT_NS() takes a string */
#ifndef HAVE_MODULE_IMPORT_NS_STRING
#undef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns) MODULE_INFO(import_ns, ns)
#endif

/* 6.16: timer_delete_sync_try() replaced try_to_del_timer_sync() */
#ifndef HAVE_TIMER_DELETE_SYNC_TRY
#define timer_delete_sync_try(timer) try_to_del_timer_sync(timer)
#endif

/* 6.16: binary attributes are constant */
#ifdef HAVE_CONST_BIN_ATTRIBUTE
#define n3t_bin_attribute const struct bin_attribute
#else
#define n3t_bin_attribute struct bin_attribute
#endif

/*
 * perf's context of a PMU on a CPU, which includes the multiplexing timer: 6.1
 * in struct perf_cpu_context, 6.2 in struct perf_cpu_pmu_context, 6.15 through
 * a per-CPU pointer.
 */
#if defined(HAVE_PMU_CPU_CONTEXT)
#define n3t_perf_cpu_context(pmu, cpu) per_cpu_ptr((pmu)->pmu_cpu_context, cpu)
#elif defined(HAVE_PMU_CONTEXT_POINTERS)
#define n3t_perf_cpu_context(pmu, cpu) (*per_cpu_ptr((pmu)->cpu_pmu_context, cpu))
#else
#define n3t_perf_cpu_context(pmu, cpu) per_cpu_ptr((pmu)->cpu_pmu_context, cpu)
#endif

#endif /* _N3T_COMPAT_H */
