/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* 6.2, and 6.1 stable: symbols exported only to KUnit suites. */
#ifndef _N3T_COMPAT_KUNIT_VISIBILITY_H
#define _N3T_COMPAT_KUNIT_VISIBILITY_H

#include <linux/export.h>
#include <linux/kconfig.h>

#if IS_ENABLED(CONFIG_KUNIT)
#define EXPORT_SYMBOL_IF_KUNIT(symbol) EXPORT_SYMBOL_NS(symbol, EXPORTED_FOR_KUNIT_TESTING)
#else
#define EXPORT_SYMBOL_IF_KUNIT(symbol)
#endif

#endif /* _N3T_COMPAT_KUNIT_VISIBILITY_H */
