/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report's style and scripts, as texts of this program. */
	.section .rodata

	.global page_style
page_style:
	.incbin "page.css"
	.byte 0

	.global page_script
page_script:
	.incbin "page_path.js"
	.incbin "page_data.js"
	.incbin "page_charts.js"
	.incbin "page_tables.js"
	.incbin "page.js"
	.incbin "page_controls.js"
	.byte 0

	.section .note.GNU-stack, "", %progbits
