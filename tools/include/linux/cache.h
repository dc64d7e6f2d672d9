/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_CACHE_H
#define _N3T_SHIM_LINUX_CACHE_H

#define __ro_after_init

#endif /* _N3T_SHIM_LINUX_CACHE_H */
