/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the pure units take from the kernel's header of this name. */
#ifndef _N3T_SHIM_LINUX_BUILD_BUG_H
#define _N3T_SHIM_LINUX_BUILD_BUG_H

#include <assert.h>

#endif /* _N3T_SHIM_LINUX_BUILD_BUG_H */
