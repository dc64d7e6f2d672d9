/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the pure units take from the kernel's header of this name. */
#ifndef _N3T_SHIM_LINUX_ERRNO_H
#define _N3T_SHIM_LINUX_ERRNO_H

#include <asm/errno.h>

#endif /* _N3T_SHIM_LINUX_ERRNO_H */
