# SPDX-License-Identifier: GPL-2.0
#
# Counts the results in a TAP report and prints "PASSED FAILED SKIPPED".
#
#	-v rc=N		exit status of the program
#	-v indent=N	only lines indented by N: 4 for the cases of KUnit suites
#
# A report that stops short of its plan, has none, or comes from a program that
# failed without a failed check, counts as a failure.

BEGIN {
	for (i = 0; i < indent; i++)
		blanks = blanks " "
}

{
	sub(/^\[ *[0-9.]+\] /, "")
	if (substr($0, 1, indent) != blanks)
		next
	$0 = substr($0, indent + 1)
}

/^1\.\.[0-9]+/ {
	has_plan = 1
	planned += substr($1, 4)
	if (/^1\.\.0.*# *SKIP/)
		all_skipped = 1
}

/^(not )?ok / {
	if (/# *SKIP/)
		skipped++
	else if (/^ok /)
		passed++
	else
		failed++
}

END {
	seen = passed + failed + skipped
	if (seen == 0 && (all_skipped || rc == 4))
		skipped++
	else if (!has_plan || seen == 0)
		failed++
	else if (seen != planned)
		failed += seen < planned ? planned - seen : 1
	if (rc != 0 && rc != 4 && failed == 0)
		failed++
	print passed + 0, failed + 0, skipped + 0
}
