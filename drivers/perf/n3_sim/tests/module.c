// SPDX-License-Identifier: GPL-2.0
/* Module with the KUnit suites. */
#include <linux/module.h>

MODULE_DESCRIPTION("KUnit tests for n3_sim");
MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_LICENSE("GPL");
