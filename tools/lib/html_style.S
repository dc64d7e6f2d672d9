/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The style sheet of reports, as a text of the program. */
	.section .rodata

	.global html_style
html_style:
	.incbin "lib/page.css"
	.byte 0

	.section .note.GNU-stack, "", %progbits
