/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Same functions; glibc accepts negative characters as the kernel does. */
#include <ctype.h>
