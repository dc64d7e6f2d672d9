/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Recordings of version 1, and what version 2 has in common with them. */
#ifndef N3REC_RECORDING_TEXT_H
#define N3REC_RECORDING_TEXT_H

#include <sys/types.h>

#include "recording.h"

/*
 * Reads a line with its '\n'. Return: its length, or -1 if there is no whole one: a last
 * one without '\n' is cut, and one that is too long is broken.
 */
ssize_t recording_read_line(struct recording *recording);
/* Takes the '\n' off, and what cannot be printed. */
void recording_plain_line(struct recording *recording, size_t len);
/* A value or a word, or parts with ':' between; text is written to. Return: whether it is one. */
bool recording_parse_cell(struct value *value, char *text, bool *estimated);
bool recording_next_text(struct recording *recording);
/* Takes the time of a snapshot. Return: whether it is one. */
bool recording_take_time(struct recording *recording, double when);

#endif
