/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lookup of events by code, as written by users and perf. */
#ifndef LIBN3TELEMETRY_EVENT_CODE_H
#define LIBN3TELEMETRY_EVENT_CODE_H

/*
 * Parses 0x17, perf's r17 or r0017, or plain digits if they are the hexadecimal or decimal
 * code of a single event. Return: the event, -1 if the text is not a code. Exits if no
 * event has the code, or two events match.
 */
int event_of_code(const char *text);

#endif
