#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# check.sh [CHECK...] - static checks, as TAP. Each check is a function below; its output
# follows its "not ok". "long" selects the ones that take long and are left to make
# test-long.

# shellcheck disable=SC2317 # the checks are called by their names

if [ -z "${PLAIN_ENV:-}" ]; then
	kept=()
	for name in BUILD JOBS N3T_CACHE XDG_CACHE_HOME http_proxy https_proxy no_proxy; do
		[ -z "${!name:-}" ] || kept+=("$name=${!name}")
	done
	exec "$(dirname "$0")/plain-env.sh" "${kept[@]}" "$0" "$@"
fi
# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
this=$(realpath "$0")
cd "$TOP"

kernel_src=$("$QEMU_DIR/kernel.sh" --source)
c_files() { find drivers include selftests tools -name '*.[ch]' "$@" | sort; }
scripts() {
	grep -rlE '^#!/bin/(ba|busybox )?sh' .ci selftests tools upstream | sort
}

# remembered INPUT COMMAND... - runs the command, unless it has passed: its result depends on these
# words alone, some of them hashes
remembered() {
	local passed

	passed=$CACHE/passed/$(hash_of <(echo "$*"))
	shift
	[ -e "$passed" ] || { "$@" && mkdir -p "${passed%/*}" && touch "$passed"; }
}

# modules for KERNEL, with make arguments; silent without warnings
builds() { "$QEMU_DIR/modules.sh" "$@"; }

warnings_6_1() { builds 6.1; }
warnings_6_12() { builds 6.12; }
# with the newest compiler as well
warnings_newest() { builds newest; }
# without later stable changes
warnings_6_1_0() { builds 6.1.0; }
warnings_6_1_oldest() { builds 6.1-oldest; }
# the simulator, and with it most of the module, runs on any machine
warnings_x86_64() { builds 6.1-amd64; }
warnings_kunit() { builds debug; }

# checks every file, even if all are up to date
sparse() {
	remembered "$(command sparse --version) $("$QEMU_DIR/stock.sh" 6.1) $(find drivers include -type f |
		LC_ALL=C sort | xargs sha256sum | hash_of)" \
		builds 6.1 C=2 CF='-D__CHECK_ENDIAN__ -Wsparse-error'
}

# Ignored types: tables are X macros, each user of which reads some columns; groups are
# spelt as in the specification; parsers are tested with odd blanks. User space has no
# kernel macros and prints usage texts.
checkpatch_run=(perl "$kernel_src/scripts/checkpatch.pl" --no-tree --strict
	--terse --no-summary --show-types)
odd=COMPLEX_MACRO,MACRO_ARG_UNUSED,MACRO_ARG_REUSE,CAMELCASE,QUOTED_WHITESPACE_BEFORE_NEWLINE

# run_checkpatch OPTION... - on the files of stdin
run_checkpatch() {
	local file rc=0

	while read -r file; do
		remembered "$(hash_of "$file")" "${checkpatch_run[@]}" "$@" -f "$file" || rc=1
	done
	return $rc
}

checkpatch() {
	local compat=LINUX_VERSION_CODE,CONSTANT_COMPARISON,UNNECESSARY_CASTS

	c_files -path 'drivers/*' -not -name '*.def.h' -not -path '*/tests/*' |
		run_checkpatch --ignore "$odd"
	# expected texts exceed a line
	c_files -path 'drivers/*/tests/*' | run_checkpatch --ignore "$odd,SPLIT_STRING"
	# a formula is one line
	c_files -name '*.def.h' |
		run_checkpatch --ignore "$odd,SPLIT_STRING" --max-line-length=130
	c_files -path 'include/*' | run_checkpatch --ignore "$compat"
}

checkpatch_user() {
	local user=$odd,PREFER_DEFINED_ATTRIBUTE_MACRO,AVOID_EXTERNS,SPLIT_STRING
	# rows of a table that declare variables, errors.def.h
	user+=,TRAILING_SEMICOLON

	c_files \( -path 'selftests/*' -o -path 'tools/*' \) \
		-not -path 'tools/include/*' -not -name '*.def.h' |
		run_checkpatch --ignore "$user"
}

kernel_doc() {
	c_files -path 'drivers/*' -not -path '*/tests/*' |
		xargs "$kernel_src/scripts/kernel-doc" -none -Werror
}

# locks documented in kernel-doc are asserted
locks() { tools/dev/check-locks.py; }

# Semantic patches for common mistakes, which print their findings. The two written in OCaml
# need its compiler, and do not apply to this code.
coccinelle() {
	local script options errors

	cd "$kernel_src"
	for script in $(grep -rl 'virtual report' scripts/coccinelle | sort |
			xargs grep -L 'script:ocaml'); do
		read -ra options < <(sed -n 's,^// *Options: *,,p' "$script") || true
		errors=$(spatch -D report --no-show-diff --very-quiet "${options[@]}" \
			--cocci-file "$script" --dir "$TOP/drivers" -I include \
			--include include/linux/kconfig.h 2>&1 >&3) || echo "$script: $errors"
	done 3>&1 | { ! grep .; }
}

# generated documents match the tables
documentation() { tools/dev/gen-docs.py --check; }

# events, metrics and groups are those of perf, but for known differences
perf_tables() { tools/dev/check-perf-events.py "$(tools/dev/perf-events.sh)"; }

user_space() {
	cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr \
		--enable=warning,performance,portability -D_GNU_SOURCE \
		-I drivers/perf/n3_telemetry -I tools -I tools/include tools selftests
}

# get_abi.pl always returns 0
abi_files() {
	[ -d Documentation/ABI ] || return 0
	perl "$kernel_src/scripts/get_abi.pl" --dir Documentation/ABI validate 2>&1 |
		{ ! grep .; }
}

# Kselftests source files that take long to follow: without them, their variables are
# unknown.
kselftests="^selftests/($(IFS='|'; echo "${KSELFTESTS[*]}"))/"
shell_scripts() {
	remembered "$(shellcheck --version | hash_of) $({ scripts; find selftests tools -name '*.sh'; } |
		LC_ALL=C sort -u | xargs sha256sum | hash_of)" all_scripts
}
all_scripts() {
	scripts | grep -vE "$kselftests" | xargs shellcheck -x -P SCRIPTDIR -S warning &&
		scripts | grep -E "$kselftests" | xargs shellcheck -S warning -e SC2034,SC2154,SC2164
}
kselftest_scripts() {
	scripts | grep -E "$kselftests" | xargs shellcheck -x -P SCRIPTDIR -S warning
	# a test that replaces a function of selftests/lib would have the library call it
	sed -n '/^cleanup()/!s/^\([a-z_0-9]*() {\).*/\1/p' selftests/lib/*.sh > "$BUILD/functions"
	! grep -rxFf "$BUILD/functions" --include='*.sh' --exclude-dir={lib,qemu} selftests
}

# test_lines - no line of a test exceeds 100 columns, data and documents excepted
test_lines() {
	git ls-files -co --exclude-standard selftests 'tools/*tests/*' 'drivers/*/tests/*' |
		grep -vE '/golden/|\.(tsv|txt|patch|md)$' | { xargs grep -nE '.{101}' || :; } |
		{ ! grep .; }
}

spelling() {
	git ls-files -co --exclude-standard | grep -v -e '^COPYING$' -e '^LICENSES/' |
		xargs codespell --skip '*.tsv,*package-lock.json'
}

# turns of phrase that make comments and documentation hard to read, and the size of pages
prose() {
	tools/dev/gen-docs.py --pages "$BUILD/pages" && tools/dev/check-prose.py "$BUILD"/pages/*.rst
}

# Sphinx builds the documentation without a warning
docs() { tools/dev/docs.py "$BUILD/docs"; }

# a test runs each command of the documentation
commands() {
	tools/dev/gen-docs.py --pages "$BUILD/pages"
	find README.md CONTRIBUTING.md SECURITY.md Documentation tools/spe "$BUILD/pages" -name '*.md' -o \
		-name '*.rst' | sort | xargs selftests/qemu/samples.py commands
}

# Only one header and its probes may depend on kernel versions.
one_place_for_versions() {
	! grep -rnE 'LINUX_VERSION_CODE|KERNEL_VERSION|HAVE_[A-Z]' drivers \
		--include='*.[ch]'
}

# old_kernels - refused with one line, whatever they lack; the oldest supported one is
# accepted
old_kernels() {
	local version said mk=drivers/perf/n3_telemetry/compat.mk

	for version in 4.18 5.14 5.15 6.0; do
		! said=$(probe "$mk" "$version" 2>&1) &&
			[[ $said == *"needs Linux 6.1 or later, this is $version.9."* ]] &&
			[ "$(wc -l <<< "$said")" -eq 1 ] || { echo "$version: $said"; return 1; }
	done
	for version in 6.1 6.12 7.0 7.2 10.0; do
		probe "$mk" "$version"
	done
}

# probe MAKEFILE VERSION - as read by a kernel of that version
probe() {
	make -s -f "$1" -f <(echo all:) srctree=/nowhere VERSION="${2%.*}" \
		PATCHLEVEL="${2#*.}" KERNELVERSION="$2.9" all
}

# compat_probes - each is compiled with a kernel that has the interface and with one that
# lacks it
compat_probes() {
	local mk=drivers/perf/n3_telemetry/compat.mk added

	uncovered "$mk" | { ! grep .; }
	added=$(mktemp)
	{
		cat "$mk"
		echo 'ccflags-y += $(call n3t-has,linux/timer.h,no such thing,NEVER)'
		echo 'ccflags-y += $(call n3t-has,linux/timer.h,.,ALWAYS)'
	} > "$added"
	[ "$(uncovered "$added")" = $'ALWAYS absent\nNEVER present' ] ||
		{ echo "uncovered probes are not detected"; return 1; }
	rm "$added"
}

# uncovered MAKEFILE - its probes, with the outcome that is not compiled
uncovered() {
	local kernel name names have shown=''

	names=$(sed -n 's/^ccflags-y += $(call n3t-has,.*,\(.*\))$/\1/p' "$1" | sort)
	[ "$(wc -w <<< "$names")" -eq "$(grep -c 'call n3t-has' "$1")" ] ||
		echo "probes in an unknown form"
	for kernel in $(kernels_compiled); do
		have=$(probes "$1" "$kernel")
		for name in $names; do
			[[ " $have " == *" $name "* ]] && shown+="$name present"$'\n' ||
				shown+="$name absent"$'\n'
		done
	done
	sed 's/.*/& absent\n& present/' <<< "$names" | grep -vxFf <(echo -n "$shown") || true
}

# kernels_compiled - kernels of the checks that compile for arm64
kernels_compiled() {
	local check

	for check in "${checks[@]}" "${long[@]}"; do
		declare -f "$check"
	done | sed -nE 's/^ *builds ([0-9.]+|newest);?$/\1/p' | sort -u
}

# probes MAKEFILE KERNEL - interfaces that the kernel has
probes() {
	local kdir srctree

	case $2 in
	*.*.0) kdir=$("$QEMU_DIR/edited.sh" "$2") ;;
	*) kdir=$("$QEMU_DIR/stock.sh" "$2")/kdir ;;
	esac
	srctree=$(sed -n 's,^include \(.*\)/Makefile$,\1,p' "$kdir/Makefile")
	make -s -f "$1" -f <(
		echo 'all:; @echo $(patsubst -DHAVE_%=1,%,$(filter -DHAVE_%,$(ccflags-y)))'
	) srctree="$srctree" VERSION=7 PATCHLEVEL=0 all
}

# kernels_compiler - modules are built by the compiler of the kernel: stubs of a kernel and
# of compilers record the requested one
kernels_compiler() {
	local dir

	dir=$(mktemp -d)
	mkdir -p "$dir"/{bin,kernel/include/{generated,config}}
	cp -rs /usr/bin/. "$dir/bin/"
	find "$dir/bin" -name '*clang*' -delete
	find "$dir/bin" \( -name 'ld.lld*' -o -name 'llvm-*' \) -delete
	echo '#define UTS_RELEASE "0.0.0-stub"' > "$dir/kernel/include/generated/utsrelease.h"
	echo 'modules:; @echo "LLVM=$(LLVM) $(if $(filter command%,$(origin CC)),CC=$(CC))"' \
		> "$dir/kernel/Makefile"

	stub_kernel
	asks 'LLVM= '
	stub_kernel CC_IS_CLANG=y CLANG_VERSION=170006 LD_IS_LLD=y
	refuses
	stub_clang 14
	refuses
	stub_clang 18
	refuses # no linker
	stub_tools ''
	asks 'LLVM=1 '
	stub_clang 17 -17
	refuses
	stub_tools -17
	asks 'LLVM=-17 '
	stub_clang 17
	asks 'LLVM=1 '
	LLVM=-18 asks 'LLVM=-18 '
	stub_kernel CC_IS_CLANG=y CLANG_VERSION=170006
	asks 'LLVM= CC=clang'
	stub_clang 14
	asks 'LLVM= CC=clang-17'
	stub_kernel CC_IS_CLANG=y
	refuses
	rm -r "$dir"
}

# build_trees - invalid trees, and installations without a target, are refused with one line
build_trees() {
	local dir

	dir=$(mktemp -d)
	mkdir -p "$dir"/{empty,'with blank',release}/include/generated
	touch "$dir"/{empty,'with blank'}/Makefile
	touch "$dir/empty/include/generated/utsrelease.h"
	echo '#define UTS_RELEASE "0.0.0-stub"' |
		tee "$dir"/{'with blank',release}/include/generated/utsrelease.h > /dev/null
	refused modules KDIR=
	refused modules "KDIR=$dir/absent"
	refused modules "KDIR=$dir/empty"
	refused modules "KDIR=$dir/with blank"
	refused modules "KDIR=$dir/release"
	refused modules_install KERNEL=6.1
	refused guest-modules KERNEL=bogus
	rm -r "$dir"
}

# refused TARGET SETTING - with one line before that of make, and nothing is built
refused() {
	local said

	! said=$(BUILD=$dir/build make -s "$@" 2>&1 >/dev/null) && [ ! -e "$dir/build" ] &&
		[ "$(grep -cv '^make: \*\*\* \[' <<< "$said")" -eq 1 ] ||
		{ echo "$*: $said"; return 1; }
}

stub_kernel() { printf 'CONFIG_%s\n' "${@:-NOTHING=y}" > "$dir/kernel/include/config/auto.conf"; }

# stub_clang VERSION [SUFFIX]
stub_clang() {
	printf '#!/bin/sh\necho "Debian clang version %s.0.6"\n' "$1" > "$dir/bin/clang${2:-}"
	chmod +x "$dir/bin/clang${2:-}"
}

# stub_tools SUFFIX
stub_tools() {
	local tool

	for tool in ld.lld llvm-ar llvm-nm llvm-objcopy; do
		ln -s /bin/true "$dir/bin/$tool$1"
	done
}

make_stub() {
	BUILD=$dir/build PATH=$dir/bin make -s modules KDIR="$dir/kernel" 2>"$dir/said"
}

# asks WORDS - arguments passed to the kernel's make
asks() {
	local words

	words=$(make_stub) && [ "$words" = "$1" ] ||
		{ echo "not $1 but $words"; cat "$dir/said"; return 1; }
}

# refuses - with one line, before the kernel's make is called
refuses() {
	local words

	! words=$(make_stub) && [ -z "$words" ] && [ "$(grep -c modules.sh: "$dir/said")" -eq 1 ] ||
		{ echo "not refused: $words"; cat "$dir/said"; return 1; }
}

# clang_kernel - a kernel built with clang and ThinLTO: every unit compiles, and n3_telemetry is
# installed alone
clang_kernel() {
	local tree=$CACHE/kernel/clang-${kernel_src##*/}

	tools/dev/install-deps.sh clang lld llvm
	clang_tree "$tree"
	rm -rf "$BUILD/clang-root"
	make -s modules_install KDIR="$tree" INSTALL_MOD_PATH="$BUILD/clang-root" 2>&1 |
		{ ! grep -iE 'warning|error' | grep -v 'Module.symvers\|undefined!\|unresolved symbol\|System.map'; }
	[ "$(find "$BUILD/clang-root" -name '*.ko' -printf '%f\n')" = n3_telemetry.ko ]
	readelf -p .comment "$(find "$BUILD/clang-root" -name n3_telemetry.ko)" | grep -q clang
}

# clang_tree DIR - a tree for x86-64, as far as modules need it
clang_tree() {
	local args=(-s -C "$kernel_src" O="$1" ARCH=x86 LLVM=1)

	[ ! -e "$1/.prepared" ] || return 0
	rm -rf "$1"
	make "${args[@]}" defconfig
	"$kernel_src/scripts/config" --file "$1/.config" -d LTO_NONE -e LTO_CLANG_THIN
	make "${args[@]}" olddefconfig
	grep -x CONFIG_LTO_CLANG_THIN=y "$1/.config"
	make "${args[@]}" -j"$JOBS" modules_prepare
	touch "$1/.prepared"
}

# layers - no include against the layers of design.rst
layers() {
	tools/dev/check-layers.py
	(! grep -rn selftests/user tools --include=Makefile)
	(! grep -rni metric tools/lib)
}

# limits of code, files and functions
sizes() { tools/dev/check-tools.py sizes; }

# unused symbols, circles of units, mutable static variables
symbols() {
	make -s tools >/dev/null
	tools/dev/check-tools.py symbols build/tools{,-arm64}{,/spe}/obj
}

licences() {
	! git ls-files -co --exclude-standard -- '*.[ch]' '*.sh' '*.py' '*Makefile' \
		'*Kbuild' '*.mk' '*.config' | xargs grep -L 'SPDX-License-Identifier' |
		grep .
}

# long_tests - test-long.sh names the kselftests that make test leaves out
long_tests() {
	(! grep -lx '# on: test-long' selftests/*/*.sh | sed 's,.*/,,' |
		grep -vxFf <(grep -oE '[a-z0-9_]+\.sh' tools/dev/test-long.sh))
}

checks=(warnings_6_1 warnings_6_12 warnings_newest warnings_6_1_0 warnings_kunit sparse checkpatch
	kernel_doc locks abi_files test_lines documentation docs commands perf_tables user_space shell_scripts
	spelling prose one_place_for_versions old_kernels compat_probes kernels_compiler build_trees layers
	sizes symbols licences long_tests)
long=(warnings_6_1_oldest clang_kernel warnings_x86_64 checkpatch_user kselftest_scripts coccinelle)
case "$*" in
'') asked=("${checks[@]}") ;;
# one check in a separate process; in a condition ("if", "||") bash would ignore failures of
# all but the last line of a check
--run\ *) "$2"; exit ;;
long) asked=("${long[@]}") ;;
*) asked=("$@") ;;
esac

# a first run downloads, and waits for others that do; the limit catches hangs
longest=2700
log=$(mktemp)
pid=
trap 'rm -f "$log"' EXIT
# timeout(1) creates a process group, which a terminal does not interrupt
trap '[ -z "$pid" ] || kill "$pid"; exit 1' HUP INT TERM

echo "1..${#asked[@]}"
nr=0
failed=0
for check in "${asked[@]}"; do
	nr=$((nr + 1))
	env --default-signal timeout -k 30 $longest "$this" --run "$check" > "$log" 2>&1 &
	pid=$!
	rc=0
	wait "$pid" || rc=$?
	pid=
	if [ "$rc" -eq 0 ]; then
		echo "ok $nr - $check"
		continue
	fi
	echo "not ok $nr - $check"
	case $rc in
	124 | 137) echo "# not finished after $longest s" ;;
	esac
	sed 's/^/# /' "$log"
	failed=1
done
exit $failed
