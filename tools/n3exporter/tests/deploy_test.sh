# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # test.sh and lib.sh set the rest
# n3-exporter under systemd and in pods: the files in deploy.

deploy=$here/../deploy
dev=$here/../../dev
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
cmp -s "$deploy/n3-exporter.socket" "$units/n3-exporter.socket"
result $? "n3-exporter.socket is installed"
shared=$root/opt/n3/share/n3_telemetry/prometheus
for file in rules.yml alerts.yml dashboard.json consoles/n3-fleet.html; do
	[ -s "$shared/$file" ] || echo "$file"
done >"$tmp/out"
[ ! -s "$tmp/out" ] && diff -r "$here/../prometheus" "$shared" >"$tmp/out" 2>&1
result $? "rules, alerts, dashboard and console are installed"

# --- systemd

# verify requires that the program exists
mkdir -p "$tmp/units"
cp "$units"/n3-exporter* "$tmp/units/"
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
		grep -v '^\(ExecStart\|Group\|ReadWritePaths\)=' >"$tmp/$unit"
done
diff "$tmp/n3-exporter" "$tmp/n3-exporter-textfile" >"$tmp/out" 2>&1 &&
	[ "$(wc -l <"$tmp/n3-exporter")" -gt 25 ]
result $? "the services have the same restrictions"

wrong=$(for option in --lisen --per=none --groups=none --listen=none; do
	"$exporter" --source "$source" $option >"$tmp/out" 2>&1
	echo $?
done | sort -u | xargs)
same "the services are restarted after any end but that of wrong options" \
	"Restart=always RestartPreventExitStatus=$wrong" \
	"$(grep '^Restart[^S]' "$deploy/n3-exporter.service" | xargs)"

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

timeout 600 "$here/deploy.py" service "$deploy/n3-exporter.service" "$exporter" "$source" \
	>"$tmp/out" 2>"$tmp/err"
result $? "the service answers without a network, confined, with the system calls of its filter"
timeout 600 "$here/deploy.py" textfile "$deploy/n3-exporter-textfile.service" \
	"$exporter" "$source" >"$tmp/out" 2>"$tmp/err"
result $? "the service writes a textfile without a network, confined, with the calls of its filter"

strace -qq -o "$tmp/trace" -e trace=prctl -e inject=prctl:error=EINVAL \
	"$exporter" --source "$source" --once >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] && grep -q '\[system_error\]$' "$tmp/err" && [ ! -s "$tmp/out" ]
result $? "without its filter of system calls the exporter refuses to run"

# --- Kubernetes

kubernetes=$root/opt/n3/share/n3_telemetry/kubernetes
manifest=$kubernetes/daemonset.yaml
# as its comment says
sed -e '/httpGet/d' -e 's/# web: //' "$manifest" >"$tmp/web.yaml"
grep -q '^        - --web.config.file=/' "$tmp/web.yaml" &&
	grep -qx "        image: n3-exporter:$("$dev/version.sh")" "$manifest"
result $? "daemonset.yaml is installed, with the version of the image"
"$here/deploy.py" manifest "$manifest" >"$tmp/out" 2>"$tmp/err"
result $? "DaemonSet: privileges, mounts, labels, nodes, probes"
"$here/deploy.py" manifest "$tmp/web.yaml" >"$tmp/out" 2>"$tmp/err"
result $? "the same with a configuration for TLS"
"$here/deploy.py" rules "$kubernetes/prometheusrule.yaml" "$here/../prometheus/rules.yml" \
	"$here/../prometheus/alerts.yml" >"$tmp/out" 2>"$tmp/err"
result $? "PrometheusRule has the groups of rules.yml and alerts.yml"
for file in scrape podmonitor; do
	name="$file.yaml: the label instance is the node"
	if [ -n "${PROMETHEUS:-}" ]; then
		"$here/deploy.py" relabelling "$manifest" "$kubernetes/$file.yaml" "$PROMETHEUS" \
			>"$tmp/out" 2>"$tmp/err"
		result $? "$name"
	else
		skip "$name" "PROMETHEUS is not set"
	fi
done

# --- schemas

workflows=$(find "$here/../../../.github/workflows" -name '*.y*ml' 2>/dev/null)
schemas()
{
	# shellcheck disable=SC2086 # names without blanks
	"$here/schemas.py" "$1" "$SCHEMAS" "$manifest" "$kubernetes/podmonitor.yaml" \
		"$kubernetes/prometheusrule.yaml" "$shared/dashboard.json" $2 >"$tmp/out" 2>"$tmp/err"
}
if [ -n "${SCHEMAS:-}" ]; then
	schemas check "$tmp/web.yaml $workflows"
	result $? "manifests, dashboard and workflows have the types of their schemas"
	schemas broken
	result $? "wrong fields and types are found in each of them"
else
	skip "manifests, dashboard and workflows against their schemas" \
		"SCHEMAS is not set: dev/npm.sh has no packages"
fi

# --- image

image()
{
	env SOURCE_DATE_EPOCH=1000000000 "$@" "$dev/image.py" "$tmp/image.tar" "$IMAGE_LIBS" \
		"$arch=$exporter"
}
image_in_pod="DaemonSet: uid 0 with CAP_PERFMON alone is confined, the module comes and goes"
if [ -n "${IMAGE_LIBS:-}" ]; then
	arch=$(dpkg --print-architecture)
	image 2>"$tmp/err" && mv "$tmp/image.tar" "$tmp/first.tar" &&
		(umask 077 && cd / && image TZ=Asia/Tokyo PYTHONHASHSEED=1 2>"$tmp/err") &&
		cmp "$tmp/first.tar" "$tmp/image.tar" >"$tmp/out"
	result $? "image: the same files have the same bytes"
	"$here/oci.py" check "$tmp/image.tar" 1000000000 "$arch" >"$tmp/out" 2>"$tmp/err"
	result $? "image: digests, libraries, licences"
	if [ "$(id -u)" -eq 0 ]; then
		timeout 600 unshare -mn "$here/deploy.py" pod "$manifest" "$tmp/image.tar" "$arch" \
			"$source" >"$tmp/out" 2>"$tmp/err"
		result $? "$image_in_pod"
	else
		skip "$image_in_pod" "needs root"
	fi
else
	skip "image" "IMAGE_LIBS is not set: dev/image_libs.sh has no packages"
fi
