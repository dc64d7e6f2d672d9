// SPDX-License-Identifier: GPL-2.0
/* What makes one module of the suites. */
#include <linux/module.h>

MODULE_DESCRIPTION("KUnit tests of n3_sim");
MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_LICENSE("GPL");
