/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* HTML that reports of several programs share. */
#ifndef LIB_HTML_H
#define LIB_HTML_H

#include <stdio.h>

/* The style sheet, page.css */
extern const char html_style[];

/* Text with & < > " escaped */
void html_text(FILE *out, const char *text);

#endif
