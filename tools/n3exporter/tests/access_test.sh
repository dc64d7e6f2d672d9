# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3-exporter with --web.config.file: TLS, certificates and passwords.

exporter=$built/n3-exporter
plain=$(dirname "$plain_n3stat")/n3-exporter
made access --cpus 8 --nodes 2
source=$made
"$here/series.py" make "$source" 8 2 || exit 1

# clients SCRIPT TEST PROGRAM [ARGUMENT]
clients()
{
	name="$1: $(sed -n "s/^def test_$2(.*# //p" "$here/$1_clients.py")"
	timeout 3600 "$here/$1_clients.py" "$2" "$3" "$source" ${4:+"$4"} >"$tmp/out" 2>"$tmp/err"
	result $? "$name"
}

for test in client_auth alerts sans versions plain held stopped memory file damaged reload; do
	clients tls $test "$exporter"
done
# sanitized, in each run
clients tls mutated "$(dirname "$plain")/tests/n3-exporter" ${LONG:+10000}
clients tls service "$plain" "$here/../deploy/n3-exporter.service"
if [ -n "${PROMETHEUS:-}" ]; then
	clients tls prometheus "$plain" "$PROMETHEUS"
else
	skip "tls: Prometheus" "PROMETHEUS is not set"
fi
for test in replies flood queue unknown remembered many reload gone end; do
	clients password $test "$exporter"
done
