/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Embedded scripts of the report: page*.js. */
#ifndef N3REC_PAGE_SCRIPT_H
#define N3REC_PAGE_SCRIPT_H

extern const char page_script[];

#endif
