/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report's style and script, which are written into the page: page.css, page*.js. */
#ifndef CLI_PAGE_EMBEDDED_H
#define CLI_PAGE_EMBEDDED_H

extern const char page_style[];
extern const char page_script[];

#endif
