/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lookup of events by code, as written by users and perf. */
#ifndef LIBN3TELEMETRY_EVENT_CODE_H
#define LIBN3TELEMETRY_EVENT_CODE_H

/*
 * Parses 0x17, perf's r17 or r0017, or plain digits, which are hexadecimal or decimal.
 *
 * Return: the event, -EINVAL if the text is not a code, -ENOENT if no event has it. *decimal is
 * another event if plain digits are the codes of two, -1 otherwise.
 */
int event_of_code(const char *text, int *decimal);

#endif
