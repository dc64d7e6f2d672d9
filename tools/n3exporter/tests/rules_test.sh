# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # test.sh and lib.sh set the rest
# Rules for Prometheus, computed by Debian's programs and in exact fractions.

rules=$here/../prometheus

"$here/../../dev/gen-rules.py" --check >"$tmp/out" 2>&1
result $? "the rules are those of the module's tables"

for test in check ratio plans fleet alerts prometheus; do
	name=$(sed -n "s/^def test_$test(.*# //p" "$here/rules.py")
	if [ -n "${PROMETHEUS:-}" ]; then
		timeout 600 "$here/rules.py" "$test" "$PROMETHEUS" "$built/n3-exporter" "$rules" >"$tmp/out" 2>"$tmp/err"
		result $? "rules: $name"
	else
		skip "rules: $name" "PROMETHEUS is not set"
	fi
done
