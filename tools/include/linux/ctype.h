/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The same functions; glibc takes negative characters as the kernel does. */
#include <ctype.h>
