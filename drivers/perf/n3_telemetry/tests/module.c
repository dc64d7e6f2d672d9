// SPDX-License-Identifier: GPL-2.0
/* KUnit: module description of the suites. */
#include <linux/module.h>

MODULE_DESCRIPTION("KUnit tests for n3_telemetry");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
