// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lookup of events by code, as written by users and perf. */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "errors.h"
#include "event_code.h"
#include "lib/util.h"

#define HEX	"0123456789abcdefABCDEF"
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

static void __noreturn die_ambiguous(const char *text, int hex, int decimal)
{
	die(ERR_AMBIGUOUS_EVENT,
	    "'%s' may be 0x%x (%s) or decimal, 0x%x (%s); write the one you mean",
	    text, catalog_event(hex).code, catalog_event(hex).name,
	    catalog_event(decimal).code, catalog_event(decimal).name);
}

static int find_digits(const char *text)
{
	int hex = find(text, 16), decimal = all_of(text, "0123456789") ? find(text, 10) : -1;

	if (hex >= 0 && decimal >= 0 && hex != decimal)
		die_ambiguous(text, hex, decimal);
	return hex >= 0 ? hex : decimal;
}

int event_of_code(const char *text)
{
	bool prefix = !strncasecmp(text, "0x", 2), raw = *text == 'r' || *text == 'R';
	const char *digits = text + (prefix ? 2 : raw ? 1 : 0);
	int event;

	if (!all_of(digits, HEX) || (!prefix && !raw && !strchr("0123456789", *digits)))
		return -1;
	event = prefix || raw ? find(digits, 16) : find_digits(digits);
	if (event < 0)
		die(ERR_UNKNOWN_EVENT, "no event has the code '%s': see n3stat list events", text);
	return event;
}
