/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Notice for values of a core other than Neoverse N3 (core=). */
#ifndef LIBN3TELEMETRY_OTHER_CORE_H
#define LIBN3TELEMETRY_OTHER_CORE_H

/*
 * Return: the description of such a core in the text of the file "spec", or NULL; the caller frees
 * it.
 */
char *other_core_of(const char *spec);
/*
 * The same for the source, as in "Neoverse V2 (0xd4f): not a Neoverse N3"; NULL for an N3. Reads
 * the file once and invalidates the text of a file read before.
 */
const char *other_core(void);

#endif
