/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_ALIGN_H
#define _N3T_SHIM_LINUX_ALIGN_H

#define ALIGN(x, a)	(((x) + (a) - 1) / (a) * (a))
#define PTR_ALIGN(p, a)	((__typeof__(p))ALIGN((unsigned long)(p), (a)))

#endif /* _N3T_SHIM_LINUX_ALIGN_H */
