/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What older kernels lack. The only file that knows of kernel versions;
 * included before everything else by the Makefiles. Each entry names the
 * version that brought the interface, so that it can go when the oldest
 * supported kernel (6.1) moves past it.
 */
#ifndef _N3T_COMPAT_H
#define _N3T_COMPAT_H

#include <linux/module.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "n3_telemetry needs Linux 6.1 or later"
#endif

/* 6.13: MODULE_IMPORT_NS() takes a string */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#undef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns) MODULE_INFO(import_ns, ns)
#endif

#endif /* _N3T_COMPAT_H */
