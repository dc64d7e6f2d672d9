# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # test.sh and lib.sh set the rest
# n3-exporter --containers.

gcc -Wall -Wextra -shared -fPIC -o "$tmp/later.so" "$here/later.c" || exit 1
for test in $(sed -n 's/^def test_\([a-z]*\)(host):.*/\1/p' "$here/container_series.py"); do
	timeout 600 "$here/container_series.py" "$test" "${plain_n3stat%/*}/n3-exporter" "$tmp/later.so" \
		>"$tmp/out" 2>"$tmp/err"
	result $? "$(sed -n "s/^def test_$test(.*# //p" "$here/container_series.py")"
done
