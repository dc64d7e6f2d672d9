/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Results in the Test Anything Protocol, one line per test:
 *
 *	tap_ok(3 > 2, "three is more than %d", 2);
 *	return tap_done();
 */
#ifndef _N3T_TAP_H
#define _N3T_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static unsigned int tap_nr, tap_nr_failed;

#define __printf(format, first) __attribute__((__format__(printf, format, first)))

static inline __printf(2, 3) void tap_ok(bool ok, const char *format, ...)
{
	va_list args;

	if (!ok)
		tap_nr_failed++;
	printf("%sok %u - ", ok ? "" : "not ", ++tap_nr);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

/* End the report; returns the exit status of the program. */
static inline int tap_done(void)
{
	printf("1..%u\n", tap_nr);
	return tap_nr_failed ? 1 : 0;
}

#endif /* _N3T_TAP_H */
