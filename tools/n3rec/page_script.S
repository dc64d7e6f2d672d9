/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report's scripts, embedded into the program. */
	.section .rodata

	.global page_script
page_script:
	.incbin "n3rec/page_path.js"
	.incbin "n3rec/page_data.js"
	.incbin "n3rec/page_charts.js"
	.incbin "n3rec/page_tables.js"
	.incbin "n3rec/page.js"
	.incbin "n3rec/page_controls.js"
	.byte 0

	.section .note.GNU-stack, "", %progbits
