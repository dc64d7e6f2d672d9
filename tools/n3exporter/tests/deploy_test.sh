# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # test.sh and lib.sh set the rest
# n3-exporter under systemd and in pods: the files in deploy.

deploy=$here/../deploy
# as installed, without sanitizers
exporter=$(dirname "$N3STAT_PLAIN")/n3-exporter
made deploy --cpus 8 --nodes 2
source=$made
"$here/series.py" make "$source" 8 2 || exit 1

# --- installation

root=$tmp/root
"${MAKE:-make}" -s -C "$here/../.." O="$(dirname "$exporter")" -o all install DESTDIR="$root" \
	PREFIX=/opt/n3 >"$tmp/out" 2>&1
result $? "make install"
units=$root/opt/n3/lib/systemd/system
[ "$(sed -n 's,^ExecStart=/opt/n3/bin/,,p' "$units/n3-exporter.service")" = n3-exporter ] &&
	sed -n 's,^ExecStart=/opt/n3/bin/,,p' "$units/n3-exporter-textfile.service" |
	grep -q '^n3-exporter --textfile /'
result $? "the services execute the installed program"
for unit in n3-exporter.socket n3-telemetry.service; do
	cmp -s "$deploy/$unit" "$units/$unit"
	result $? "$unit is installed"
done
shared=$root/opt/n3/share/n3_telemetry/prometheus
for file in rules.yml alerts.yml dashboard.json consoles/n3-fleet.html; do
	[ -s "$shared/$file" ] || echo "$file"
done >"$tmp/out"
[ ! -s "$tmp/out" ] && diff -r "$here/../prometheus" "$shared" >"$tmp/out" 2>&1
result $? "rules, alerts, dashboard and console are installed"
mkdir -p "$root/etc"
systemd-sysusers --root="$root" "$root/opt/n3/lib/sysusers.d/n3-telemetry.conf" >"$tmp/out" 2>&1 &&
	[ "$(cut -d : -f 1 "$root/etc/group")" = n3-telemetry ] && [ ! -s "$root/etc/passwd" ]
result $? "sysusers.d: the group, and no user"

# --- systemd

# verify requires that the program exists
mkdir -p "$tmp/units"
cp "$units"/n3-* "$tmp/units/"
sed -i "s,^ExecStart=/opt/n3/bin,ExecStart=$(dirname "$exporter")," \
	"$tmp/units"/n3-exporter*.service
are_valid()
{
	systemd-analyze --man=no verify "$tmp/units"/n3-*.service "$tmp/units"/n3-*.socket \
		>"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ]
}
are_valid
result $? "units are valid"
for unit in n3-exporter n3-exporter-textfile; do
	systemd-analyze --no-pager security --offline=true --threshold=20 "$tmp/units/$unit.service" \
		>"$tmp/out" 2>&1
	result $? "exposure of $unit.service is at most 2.0"
done

# Both services have the same restrictions.
for unit in n3-exporter n3-exporter-textfile; do
	sed '1,/^\[Service\]/d; /^#/d; /^\[/,$d; /^$/d' "$deploy/$unit.service" |
		grep -v '^\(ExecStart\|DynamicUser\|User\|ReadWritePaths\|RemoveIPC\)=' >"$tmp/$unit"
done
diff "$tmp/n3-exporter" "$tmp/n3-exporter-textfile" >"$tmp/out" 2>&1 &&
	[ "$(wc -l <"$tmp/n3-exporter")" -gt 25 ]
result $? "the services have the same restrictions"

guide=$here/../../../Documentation/admin-guide/fleet.rst
mkdir "$tmp/units/n3-exporter.socket.d"
drop_in=$tmp/units/n3-exporter.socket.d/network.conf
sed -n '/^	\[Socket\]/,/^$/s/^	//p' "$guide" >"$drop_in"
"$here/deploy.py" socket "$deploy/n3-exporter.socket" "$drop_in" >"$tmp/out" 2>"$tmp/err" &&
	are_valid
result $? "the socket admits local addresses only, and those of the drop-in of fleet.rst"
sed -i 's/^IPAddressAllow=.*/&x/' "$drop_in"
are_valid
[ $? -ne 0 ]
result $? "a wrong address in the drop-in is found"

# The shell command, with stubs; systemd replaces $$ and %% first.
command=$(sed -n "s/^ExecStart=.bin.sh -c '\(.*\)'\$/\1/p" "$deploy/n3-telemetry.service" | sed 's/\$\$/$/g; s/%%/%/g')
mkdir -p "$tmp/bin"
printf '#!/bin/sh\necho "modprobe $*"\n' >"$tmp/bin/modprobe"
chmod +x "$tmp/bin/modprobe"
for entry in n3-telemetry:x:10303: n3-telemetry:x:998:agent,other; do
	printf '#!/bin/sh\n[ "$*" = "group n3-telemetry" ] && echo %s\n' "$entry" >"$tmp/bin/getent"
	chmod +x "$tmp/bin/getent"
	PATH=$tmp/bin:$PATH sh -c "$command" >"$tmp/out" 2>&1
	[ "$(cat "$tmp/out")" = "modprobe n3_telemetry gid=$(echo "$entry" | cut -d : -f 3)" ]
	result $? "n3-telemetry.service: group $entry"
done
printf '#!/bin/sh\nexit 2\n' >"$tmp/bin/getent"
! PATH=$tmp/bin:$PATH sh -c "$command" >"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ]
result $? "n3-telemetry.service does not load the module without the group"

timeout 600 "$here/deploy.py" service "$deploy/n3-exporter.service" "$exporter" "$source" \
	>"$tmp/out" 2>"$tmp/err"
result $? "the service answers without a network, with the system calls of its filter"
timeout 600 "$here/deploy.py" textfile "$deploy/n3-exporter-textfile.service" \
	"$exporter" "$source" >"$tmp/out" 2>"$tmp/err"
result $? "the service writes a textfile without a network, with the system calls of its filter"

# --- Kubernetes

"$here/deploy.py" manifest "$deploy/daemonset.yaml" >"$tmp/out" 2>"$tmp/err"
result $? "DaemonSet: privileges, mounts, labels"
if [ -n "${PROMETHEUS:-}" ]; then
	"$here/deploy.py" relabelling "$deploy/daemonset.yaml" "$deploy/scrape.yaml" \
		"$PROMETHEUS" >"$tmp/out" 2>"$tmp/err"
	result $? "scrape job: the label instance is the node"
else
	skip "scrape job: the label instance is the node" "PROMETHEUS is not set"
fi
if [ "$(id -u)" -eq 0 ]; then
	timeout 600 unshare -mn "$here/deploy.py" pod "$deploy/daemonset.yaml" "$exporter" "$source" \
		>"$tmp/out" 2>"$tmp/err"
	result $? "DaemonSet: its group reads, others do not, the module comes and goes"
else
	skip "DaemonSet: its group reads, others do not, the module comes and goes" "needs root"
fi
