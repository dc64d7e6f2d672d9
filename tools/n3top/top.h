/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: parses the rest of the command line. */
#ifndef N3TOP_TOP_H
#define N3TOP_TOP_H

int command_top(int argc, char **argv);

#endif
