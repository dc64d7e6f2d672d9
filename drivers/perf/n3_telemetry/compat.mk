# SPDX-License-Identifier: GPL-2.0
# Flags for all units. What differs between the supported kernels is probed
# here, by a grep of the header that declares it, and mended in n3t_compat.h.
n3t-top := $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../../../

ccflags-y += -D'pr_fmt(fmt)=KBUILD_MODNAME ": " fmt'
ccflags-y += -I$(n3t-top)drivers/perf/n3_telemetry
ccflags-y += -include $(n3t-top)include/compat/n3t_compat.h
