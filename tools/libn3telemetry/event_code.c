// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lookup of events by code, as written by users and perf. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "event_code.h"

#define DECIMAL	"0123456789"
#define HEX	DECIMAL "abcdefABCDEF"
#define MAX_DIGITS	8

/* Return: whether the text consists of these digits. */
static bool all_of(const char *text, const char *digits)
{
	size_t len = strspn(text, digits);

	return len && len <= MAX_DIGITS && !text[len];
}

static int find(const char *digits, int base)
{
	unsigned long code = strtoul(digits, NULL, base);

	return catalog_find_code(code > 0xffff ? 0x10000 : (unsigned int)code);
}

int event_of_code(const char *text, int *decimal)
{
	bool prefix = !strncasecmp(text, "0x", 2), raw = *text == 'r' || *text == 'R';
	const char *digits = text + (prefix ? 2 : raw ? 1 : 0);
	bool plain = !prefix && !raw;
	int event;

	*decimal = -1;
	if (!all_of(digits, HEX) || (plain && !strchr(DECIMAL, *digits)))
		return -EINVAL;
	event = find(digits, 16);
	if (plain && all_of(digits, DECIMAL))
		*decimal = find(digits, 10);
	if (event < 0)
		event = *decimal;
	if (*decimal == event)
		*decimal = -1;
	return event < 0 ? -ENOENT : event;
}
