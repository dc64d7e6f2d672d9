# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat doctor finds what DKMS leaves behind when it cannot install a module, or signs none. The
# real dkms works in the files of a synthetic machine, and so do the fixes that doctor proposes.
# on: test-long

# shellcheck source=doctor_machine.sh
. "$here/doctor_machine.sh"

release=6.1.0-test
bin=$tmp/bin
mkdir -p "$bin"

# stub NAME: a program with the script of stdin
stub()
{
	{
		echo '#!/bin/sh'
		cat
	} >"$bin/$1"
	chmod +x "$bin/$1"
}

# with dkms in these files only
stub uname <<EOF
case \$1 in
-r) echo $release ;;
-m) echo aarch64 ;;
*) exec /bin/uname "\$@" ;;
esac
EOF
stub id <<'EOF'
echo 0
EOF
stub depmod <<EOF
exec /sbin/depmod -b "$tmp/box" "\$@"
EOF
# apt brings back what "away" holds
stub apt <<EOF
case \$* in
'install --reinstall linux-headers-$release' | 'install linux-headers-$release')
	cp -r "$tmp/away/." "$tmp/box/usr/src/linux-headers-$release" ;;
'install --reinstall n3-telemetry-dkms') cp -r "$tmp/away" "$tmp/box/usr/src/n3-telemetry-0.1" ;;
'install openssl') ln -s "$(command -v openssl)" "$bin/openssl" ;;
*) exit 1 ;;
esac
EOF

# there COMMAND: a shell's command, on that machine
there() { PATH=$bin:$PATH sh -c "$1" >"$tmp/out" 2>"$tmp/err"; }

# machine_with_dkms: with headers and the module's sources
machine_with_dkms()
{
	machine
	rm -rf "$sysfs" "$tmp/away" "$bin/openssl"
	headers=$box/usr/src/linux-headers-$release sources=$box/usr/src/n3-telemetry-0.1
	mkdir -p "$headers/include" "$headers/scripts" "$sources/drivers/perf/n3_telemetry" \
		"$box/var/lib/dkms" "$box/boot" "$box/sys/module/module/parameters"
	echo Y >"$box/sys/module/module/parameters/sig_enforce"
	ln -s "$headers" "$box/lib/modules/$release/build"
	# for doctor, absolute links begin at the root of the machine
	mkdir -p "$box${box%/*}"
	ln -s "$box" "$box$box"
	: >"$box/lib/modules/$release/modules.order"
	: >"$box/lib/modules/$release/modules.builtin"
	echo >"$headers/include/file"
	printf '#\nCONFIG_ARM_PMU=y\nCONFIG_MODULE_SIG_HASH="sha256"\n' |
		tee "$box/boot/config-$release" >"$headers/.config"
	# shellcheck disable=SC2016 # make's own
	printf 'modules:\n\t%s -c -o %s.ko %s\n' "${CC:-cc}" \
		'$(M)/drivers/perf/n3_telemetry/n3_telemetry' '$(M)/module.c' >"$headers/Makefile"
	# shellcheck disable=SC2016 # the script's own
	printf '#!/bin/sh\necho "~Module signature appended~" >>"$4"\n' >"$headers/scripts/sign-file"
	chmod +x "$headers/scripts/sign-file"
	echo 'int x;' >"$sources/module.c"
	sed 's/#MODULE_VERSION#/0.1/' "$here/../../../debian/n3-telemetry-dkms.dkms" \
		>"$sources/dkms.conf"
	there "dkms add n3-telemetry/0.1"
}

# fixed_by ID FINDING: the fix of ID is run, then doctor reports FINDING
fixed_by()
{
	there "$(fix_of "$1")"
	cp "$tmp/out" "$tmp/said"
	run doctor --machine "$box"
	has_finding error "$2" "" && lacks_finding "$1"
	status=$?
	cat "$tmp/said" >>"$tmp/err"
	result $status "doctor: its fix of $1 mends it"
	: >"$tmp/err"
}

# says TEXT NAME: dkms status
says()
{
	there "dkms status"
	grep -q "$1" "$tmp/out"
	result $? "dkms status $2"
}

# tests_of DKMS: all of them with this version
tests_of()
{
	sed "s,\(^\|[^a-z]\)\(/var/lib/dkms\|/etc/dkms\|/lib/modules\|/usr/src\),\1$tmp/box\2,g" "$1" \
		>"$bin/dkms"
	chmod +x "$bin/dkms"

	machine_with_dkms
	there "dkms install n3-telemetry/0.1"
	finds 7 error module_not_loaded '' '' "only the absence of a module that DKMS installed" \
		"module_unsigned|key_not_enrolled|kernel_config_missing"

	machine_with_dkms
	rm -r "$headers"
	! there "dkms autoinstall"
	mkdir "$tmp/away" && cp -r "$box/boot/config-$release" "$tmp/away/.config"
	finds 7 error kernel_headers_missing "$release" "apt install linux-headers-" \
		"that the kernel's headers are missing"
	machine_with_dkms
	mkdir "$tmp/away" && cp -r "$headers/." "$tmp/away" && rm -r "$headers" && mkdir "$headers"
	run doctor --machine "$box"
	fixed_by kernel_headers_missing module_not_loaded

	machine_with_dkms
	echo 'int x = y;' >"$sources/module.c"
	! there "dkms autoinstall"
	finds 7 error dkms_build_failed "module.c.*error.*y" "make.log" "the first error of a failed build"
	echo 'int x;' >"$sources/module.c"
	printf 'modules:\n\tno-such-cc\n' >"$headers/Makefile"
	! there "dkms autoinstall"
	finds 7 error dkms_build_failed "no-such-cc" "make.log" "a build without a compiler"
	mkdir -p "$box/lib/modules/6.12.0-new"
	cp -r "$box/lib/modules/$release/build" "$box/lib/modules/6.12.0-new/"
	echo 6.12.0-new >"$box/proc/sys/kernel/osrelease"
	finds 7 error dkms_not_built 6.12.0-new '' "no failed build of another kernel" dkms_build_failed

	machine_with_dkms
	cp -r "$box/lib/modules/$release" "$box/lib/modules/6.1.0-before"
	there "dkms install n3-telemetry/0.1 -k 6.1.0-before"
	says "6.1.0-before, aarch64: installed" "has the module for the kernel before an upgrade"
	finds 7 error dkms_not_built "$release" "^dkms install n3-telemetry/0.1 -k $release\$" \
		"a module built for another kernel only"
	fixed_by dkms_not_built module_not_loaded
	rm -r "$box/lib/modules/$release/updates"
	finds 7 error dkms_not_installed "$release" "dkms " "a module that is built but not installed"
	fixed_by dkms_not_installed module_not_loaded
	there "dkms uninstall n3-telemetry/0.1 -k $release"
	says "$release, aarch64: built" "has a module that is built but not installed"
	finds 7 error dkms_not_installed "$release" "dkms " "the same after dkms uninstall"
	fixed_by dkms_not_installed module_not_loaded

	machine_with_dkms
	mv "$sources" "$tmp/away"
	finds 7 error dkms_source_missing '0\.1' "apt install --reinstall n3-telemetry-dkms" \
		"that the module's sources are missing"
	fixed_by dkms_source_missing dkms_not_built

	machine_with_dkms
	stub openssl <<-'EOF'
	exit 1
	EOF
	there "dkms autoinstall"
	rm "$bin/openssl"
	finds 7 error module_unsigned "n3_telemetry.ko" "^apt install openssl; dkms unbuild " \
		"a module that DKMS left unsigned for want of openssl" kernel_config_missing
	fixed_by module_unsigned module_not_loaded

	# Later versions sign nothing without a configuration. This one does, but not without a
	# program, which the same package has.
	machine_with_dkms
	mkdir -p "$tmp/away/scripts"
	mv "$headers/.config" "$tmp/away/"
	mv "$headers/scripts/sign-file" "$tmp/away/scripts/"
	there "dkms autoinstall"
	finds 7 warning kernel_config_missing "$release/build/.config" \
		"apt install --reinstall linux-headers-" "that the kernel's configuration is missing"
	finds 7 error module_unsigned '' " --config /boot/config-$release\$" \
		"an unsigned module, which another configuration can sign"
	fixed_by kernel_config_missing module_unsigned
	fixed_by module_unsigned module_not_loaded

	machine_with_dkms
	there "dkms autoinstall"
	variables=$box/sys/firmware/efi/efivars
	mkdir -p "$variables"
	printf '\006\000\000\000\001' >"$variables/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
	head -c 3000 /dev/urandom >"$variables/MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23"
	finds 7 error key_not_enrolled "updates/dkms/n3_telemetry.ko" \
		"^mokutil --import /var/lib/dkms/mok.pub .*Enroll MOK" "that the key of DKMS is not enrolled"
	cat "$box/var/lib/dkms/mok.pub" >"$variables/MokNew-605dab50-e046-4300-abb6-3dd810dd8b23"
	finds 7 error key_not_enrolled '' '' "a key that is not enrolled before MokManager has run"
	# as with Debian's later kernels, which Secure Boot locks down
	file=$box/lib/modules/$release/updates/dkms/n3_telemetry.ko
	mv "$file" "$file.xz"
	mkdir -p "$box/var/log"
	echo 'Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7' \
		>"$box/var/log/dmesg"
	finds 7 error key_not_enrolled '' '' \
		"a compressed module under lockdown, and a key that is not enrolled" module_unsigned
	list=$variables/MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23
	cat "$box/var/lib/dkms/mok.pub" >>"$list"
	finds 7 error module_unsigned '' '' \
		"a compressed module, refused under lockdown with an enrolled key" key_not_enrolled
	rm "$box/var/log/dmesg" "$list"

	for variable in MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23 \
		db-d719b2cb-3d3a-4596-a3bc-dad00e67656f; do
		head -c 3000 /dev/urandom | cat - "$box/var/lib/dkms/mok.pub" >"$variables/$variable"
		finds 7 error module_not_loaded '' '' "a key in ${variable%%-*} as enrolled" key_not_enrolled
		rm "$variables/$variable"
	done
}

if [ -x "${DKMS:=/usr/sbin/dkms}" ]; then
	tests_of "$DKMS"
else
	skip "doctor finds what DKMS leaves behind" "no dkms"
fi
