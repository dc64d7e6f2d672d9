/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Events by their codes, as users and perf write them. */
#ifndef LIBN3TELEMETRY_EVENT_CODE_H
#define LIBN3TELEMETRY_EVENT_CODE_H

/*
 * 0x17, r17 or r0017 as perf writes raw events, or digits alone if only one event can be
 * meant, in hexadecimal or decimal. Return: the event, -1 if the text is no code. Ends the
 * program for a code that is no event's, or that of two.
 */
int event_of_code(const char *text);

#endif
