/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Subset of KUnit for the suites of libn3t, so that they also
 * run as programs under sanitizers. kunit_main.c runs them.
 */
#ifndef _N3T_SHIM_KUNIT_TEST_H
#define _N3T_SHIM_KUNIT_TEST_H

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/types.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KUNIT_PARAM_DESC_SIZE	128
#define KUNIT_MAX_MEMORY	4096	/* allocations in one test */
#define GFP_KERNEL		0

struct kunit {
	void *priv;
	const void *param_value;
	/* private: */
	bool failed;
	jmp_buf abort;
	unsigned int nr_memory;
	void *memory[KUNIT_MAX_MEMORY];
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
	const void *(*generate_params)(const void *prev, char *desc);
};

struct kunit_suite {
	const char *name;
	int (*suite_init)(struct kunit_suite *suite);
	void (*suite_exit)(struct kunit_suite *suite);
	int (*init)(struct kunit *test);
	void (*exit)(struct kunit *test);
	struct kunit_case *test_cases;
};

void kunit_register_suite(struct kunit_suite *suite);

#define KUNIT_CASE(test)	{ .run_case = test, .name = #test }
#define KUNIT_CASE_PARAM(test, generate) \
	{ .run_case = test, .name = #test, .generate_params = generate }

#define KUNIT_ARRAY_PARAM(name, array, describe)				\
	static const void *name##_gen_params(const void *prev, char *desc)	\
	{									\
		__typeof__((array)[0]) *next = prev;				\
		void (*get_desc)(__typeof__(next), char *) = describe;		\
										\
		next = prev ? next + 1 : (array);				\
		if (next - (array) >= (ptrdiff_t)ARRAY_SIZE(array))		\
			return NULL;						\
		if (get_desc)							\
			get_desc(next, desc);					\
		return next;							\
	}

#define kunit_test_suite(suite)							\
	__attribute__((constructor)) static void register_##suite(void)		\
	{									\
		kunit_register_suite(&(suite));					\
	}

static inline void *kunit_kzalloc(struct kunit *test, size_t size, int flags)
{
	void *memory = calloc(1, size);

	(void)flags;
	if (test->nr_memory == KUNIT_MAX_MEMORY)
		abort();
	test->memory[test->nr_memory++] = memory;
	return memory;
}

#define KUNIT_CHECK(test, stop, ok, what, ...)					\
	do {									\
		struct kunit *__test = (test);					\
										\
		if (ok)								\
			break;							\
		__test->failed = true;						\
		printf("# %s:%d: expected %s", __FILE__, __LINE__, what);	\
		printf("\n# " __VA_ARGS__);					\
		printf("\n");							\
		if (stop)							\
			longjmp(__test->abort, 1);				\
	} while (0)

#define KUNIT_COMPARE(test, stop, left, op, right, ...)				\
	do {									\
		__typeof__(left) __left = (left);				\
		__typeof__(right) __right = (right);				\
										\
		if (!(__left op __right))					\
			printf("# %s = %lld (0x%llx), %s = %lld (0x%llx)\n",	\
			       #left, (long long)__left, (long long)__left,	\
			       #right, (long long)__right, (long long)__right);	\
		KUNIT_CHECK(test, stop, __left op __right,			\
			    #left " " #op " " #right, __VA_ARGS__);		\
	} while (0)

#define KUNIT_STRINGS(test, stop, left, right, ...)				\
	do {									\
		const char *__left = (left), *__right = (right);		\
										\
		if (strcmp(__left, __right))					\
			printf("# '%s' and '%s'\n", __left, __right);		\
		KUNIT_CHECK(test, stop, !strcmp(__left, __right),		\
			    #left " same as " #right, __VA_ARGS__);		\
	} while (0)

#define KUNIT_FAIL(test, ...)		KUNIT_CHECK(test, 0, 0, "never", __VA_ARGS__)

#define KUNIT_EXPECT_TRUE(test, x)	KUNIT_CHECK(test, 0, (x), #x, "")
#define KUNIT_EXPECT_FALSE(test, x)	KUNIT_CHECK(test, 0, !(x), "not " #x, "")
#define KUNIT_EXPECT_EQ(test, l, r)	KUNIT_COMPARE(test, 0, l, ==, r, "")
#define KUNIT_EXPECT_NE(test, l, r)	KUNIT_COMPARE(test, 0, l, !=, r, "")
#define KUNIT_EXPECT_LT(test, l, r)	KUNIT_COMPARE(test, 0, l, <, r, "")
#define KUNIT_EXPECT_LE(test, l, r)	KUNIT_COMPARE(test, 0, l, <=, r, "")
#define KUNIT_EXPECT_GT(test, l, r)	KUNIT_COMPARE(test, 0, l, >, r, "")
#define KUNIT_EXPECT_GE(test, l, r)	KUNIT_COMPARE(test, 0, l, >=, r, "")
#define KUNIT_EXPECT_PTR_EQ(test, l, r)	KUNIT_CHECK(test, 0, (l) == (r), #l " == " #r, "")
#define KUNIT_EXPECT_STREQ(test, l, r)	KUNIT_STRINGS(test, 0, l, r, "")

#define KUNIT_EXPECT_TRUE_MSG(test, x, ...)	KUNIT_CHECK(test, 0, (x), #x, __VA_ARGS__)
#define KUNIT_EXPECT_FALSE_MSG(test, x, ...)	KUNIT_CHECK(test, 0, !(x), "not " #x, __VA_ARGS__)
#define KUNIT_EXPECT_EQ_MSG(test, l, r, ...)	KUNIT_COMPARE(test, 0, l, ==, r, __VA_ARGS__)
#define KUNIT_EXPECT_NE_MSG(test, l, r, ...)	KUNIT_COMPARE(test, 0, l, !=, r, __VA_ARGS__)
#define KUNIT_EXPECT_LT_MSG(test, l, r, ...)	KUNIT_COMPARE(test, 0, l, <, r, __VA_ARGS__)
#define KUNIT_EXPECT_LE_MSG(test, l, r, ...)	KUNIT_COMPARE(test, 0, l, <=, r, __VA_ARGS__)
#define KUNIT_EXPECT_GT_MSG(test, l, r, ...)	KUNIT_COMPARE(test, 0, l, >, r, __VA_ARGS__)
#define KUNIT_EXPECT_GE_MSG(test, l, r, ...)	KUNIT_COMPARE(test, 0, l, >=, r, __VA_ARGS__)
#define KUNIT_EXPECT_STREQ_MSG(test, l, r, ...)	KUNIT_STRINGS(test, 0, l, r, __VA_ARGS__)

#define KUNIT_ASSERT_TRUE(test, x)	KUNIT_CHECK(test, 1, (x), #x, "")
#define KUNIT_ASSERT_FALSE(test, x)	KUNIT_CHECK(test, 1, !(x), "not " #x, "")
#define KUNIT_ASSERT_EQ(test, l, r)	KUNIT_COMPARE(test, 1, l, ==, r, "")
#define KUNIT_ASSERT_NE(test, l, r)	KUNIT_COMPARE(test, 1, l, !=, r, "")
#define KUNIT_ASSERT_LT(test, l, r)	KUNIT_COMPARE(test, 1, l, <, r, "")
#define KUNIT_ASSERT_GT(test, l, r)	KUNIT_COMPARE(test, 1, l, >, r, "")
#define KUNIT_ASSERT_GE(test, l, r)	KUNIT_COMPARE(test, 1, l, >=, r, "")
#define KUNIT_ASSERT_EQ_MSG(test, l, r, ...)	KUNIT_COMPARE(test, 1, l, ==, r, __VA_ARGS__)
#define KUNIT_ASSERT_NOT_NULL(test, x)	KUNIT_CHECK(test, 1, (x), #x, "")
#define KUNIT_ASSERT_NOT_ERR_OR_NULL(test, x)	KUNIT_CHECK(test, 1, (x), #x, "")

#endif /* _N3T_SHIM_KUNIT_TEST_H */
