/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#include <assert.h>
