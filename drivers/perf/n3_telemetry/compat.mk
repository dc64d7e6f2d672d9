# SPDX-License-Identifier: GPL-2.0
# Flags for all units. Differences between the supported kernels are detected
# here, by searching the header that declares an interface, and hidden by
# n3t_compat.h.
n3t-top := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))../../../

# Reject older kernels with one message instead of compiler errors.
n3t-is-new = $(shell test "$(VERSION)" -gt 6 -o \( "$(VERSION)" -eq 6 -a "$(PATCHLEVEL)" -ge 1 \) && echo y)
$(if $(n3t-is-new),,$(error n3_telemetry needs Linux 6.1 or later, this is $(KERNELVERSION)))

n3t-has = $(shell grep -qsE '$(2)' $(srctree)/include/$(1) && echo -DHAVE_$(3)=1)

ccflags-y += $(call n3t-has,linux/hrtimer.h,hrtimer_setup.struct hrtimer,HRTIMER_SETUP)
ccflags-y += $(call n3t-has,linux/timer.h,int timer_delete_sync.struct,TIMER_DELETE_SYNC)
ccflags-y += $(call n3t-has,linux/timer.h,int timer_delete_sync_try.struct,TIMER_DELETE_SYNC_TRY)
ccflags-y += $(call n3t-has,linux/cpuset.h,bool cpuset_cpu_is_isolated.int,CPUSET_CPU_IS_ISOLATED)
ccflags-y += $(call n3t-has,linux/sched/isolation.h,HK_TYPE_DOMAIN_BOOT,HK_TYPE_DOMAIN_BOOT)
ccflags-y += $(call n3t-has,linux/workqueue.h,system_dfl_wq;,SYSTEM_DFL_WQ)
ccflags-y += $(call n3t-has,linux/timer.h,define timer_container_of,TIMER_CONTAINER_OF)
ccflags-y += $(call n3t-has,linux/perf_event.h,pmu_cpu_context;,PMU_CPU_CONTEXT)
ccflags-y += $(call n3t-has,linux/perf_event.h,cpu_pmu_context \* __percpu \*cpu_pmu_context;,PMU_CONTEXT_POINTERS)
ccflags-y += $(call n3t-has,linux/module.h,MODULE_IMPORT_NS.ns.[[:space:]]+MODULE_INFO.import_ns. ns.,MODULE_IMPORT_NS_STRING)
ccflags-y += $(call n3t-has,linux/sysfs.h,read..struct file .. struct kobject .. const struct bin_attribute,CONST_BIN_ATTRIBUTE)

ccflags-y += -D'pr_fmt(fmt)=KBUILD_MODNAME ": " fmt'
ccflags-y += -I$(n3t-top)drivers/perf/n3_telemetry
ccflags-y += -include $(n3t-top)include/compat/n3t_compat.h
# headers missing in older kernels; searched after those of the kernel
ccflags-y += -idirafter $(n3t-top)include/compat
