# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Disassembly of the micro-kernels of n3stat selftest: the emulated PMU counts any code,
# so only the disassembly can show whether they execute the intended instructions.

case $(uname -m) in
aarch64) cross= ;;
*) cross=aarch64-linux-gnu- ;;
esac

# build_kernels FLAG...: compiles all files of micro-kernels to $tmp/arm64
build_kernels()
{
	rm -rf "$tmp/arm64"
	mkdir "$tmp/arm64"
	: >"$tmp/out"
	for file in "$here"/../arm64/*.c; do
		"${cross}gcc" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror "$@" -I"$here/../.." \
			-c -o "$tmp/arm64/$(basename "$file" .c).o" "$file" 2>>"$tmp/out" || return 1
	done
}

# disassembled: "FUNCTION INSTRUCTION" of all, with the names of external callees
disassembled()
{
	for object in "$tmp"/arm64/*.o; do
		"${cross}objdump" -dr --no-show-raw-insn "$object"
	done | sed -nE -e 's/^[0-9a-f]+ <(.*)>:$/\1:/p' \
		-e 's/[ \t]*\/\/.*//' -e 's/^ *[0-9a-f]+:\t(.*)/\1/p' \
		-e 's/^[ \t]*[0-9a-f]+: R_AARCH64_(CALL|JUMP)26[ \t]+/to /p' |
		awk '/^[^ \t]*:$/ { sub(/:$/, ""); name = $0; next }
			{ gsub(/[ \t]+/, " "); print name " " $0 }'
}

# Instructions of each micro-kernel, in this order, with others in between; derived from
# the architecture manual and the kernel's system call numbers, not from the sources.
kernel_parts()
{
	cat <<'END'
integers	add x; eor x; mul x; cmp x; csinc x
divisions	fsqrt d; fdiv d; udiv x
registers	ldr x; add x; ldr x; subs x; adds x; cmp x; cmn x; ldr x; fadd d; ldr x; add x
calls	bl .*leaf; blr x; adr x; br x
guesses	tbz [wx]; tbz [wx]; tbz [wx]; adr x; br x; bl .*; ret
chase_l2	ldr x; ldr x
chase_memory	ldr x
walks	ldr x
sequence	ldp x; ldp x
huge_pages	to mprotect; to mprotect
huge_pages	ldr w; blr x
preloads	prfm pldl1keep; prfm pldl2keep
stores	stp xzr, xzr; stp xzr, xzr; str xzr
unaligned	ldu?r x.*#61; stu?r xzr.*#61; ldu?r q.*#57; stp xzr, xzr
hazards	udiv x; str xzr.*, x; ldr x; and x; add x.*#0x40; orr x; udiv x
code_l2	blr x
code_memory	to mprotect; to mprotect; blr x
rewrites	to mprotect; str w; to mprotect; blr x
doubles	fadd d; fmul d; fmadd d; fadd s; fmul s; fmadd s
halves	fadd h; fmul h; fmadd h; fadd v.*8h; fmul v.*8h
simd	mul v.*16b; mul v.*8h; mul v.*4s; add v.*2d; fadd v.*2d; fmla v.*4s; tbl v
aes	aese v; aesmc v; aesd v; aesimc v
sve	add z.*b, p; add z.*h, p; mul z.*s, p; add z.*d, p; fmla z.*d, p; fadd z.*s; fmul z.*h
predicates	ptrue p1.s$; ptrue p2.s, vl1; pfalse p3; ld1w .*p1/z
predicates	ld1w .*p1/z; add z.*p1/m; add z.*p2/m; add z.*p3/m
first_faults	setffr; ptrue p; ldff1b; rdffr
exclusives	ldxr x; stxr w; ldxr x; clrex; stxr w; ldar x; stlr xzr
atomics	str xzr; mov x9, xzr; cas x; casal x; mov x9, #0x1; cas x; ldadd xzr; swp xzr
barriers	str xzr; dmb ish; str xzr; dsb ish; isb
syscalls	mov [wx]0, #0xad; to syscall
faults	to mmap; ldrb w; strb wzr; to munmap
switches	to write
switches	to read
sleeps	to nanosleep
END
}

# lacking_parts: parts of micro-kernels that are missing in their function or out of
# order; callees in the same file are inlined at the call
lacking_parts()
{
	kernel_parts >"$tmp/parts"
	awk '
	function lines_of(name, depth,   i, callee) {
		for (i = 1; i <= nr[name]; i++) {
			all[++n] = insn[name, i]
			callee = insn[name, i]
			if (callee !~ /^bl? [0-9a-f]+ <[^+]*>$/ || depth > 2)
				continue
			gsub(/.*<|>$/, "", callee)
			if (callee != name && callee in nr)
				lines_of(callee, depth + 1)
		}
	}
	FILENAME != parts { insn[$1, ++nr[$1]] = substr($0, length($1) + 2); next }
	{
		n = 0
		split($0, field, "\t")
		lines_of("selftest_kernel_" field[1], 0)
		wanted = split(field[2], part, "; ")
		at = 1
		for (p = 1; p <= wanted; p++) {
			while (at <= n && all[at] !~ "^" part[p])
				at++
			if (at++ > n) {
				print field[1] ": " part[p]
				break
			}
		}
		# one round each
		for (i = 1; i <= n && all[i] !~ /^(b\.|cbn?z)/; i++)
			;
		if (i > n && field[1] != "sleeps" && field[1] != "code_memory")
			print field[1] ": no loop"
	}' parts="$tmp/parts" "$tmp/insns" "$tmp/parts"
}

# bare_targets: targets of BR without a landing pad; of a table
# the first entry, with the others checked by the number of pads
bare_targets()
{
	"${cross}objdump" -d --no-show-raw-insn "$tmp/arm64/selftest_kernels_core.o" | awk '
	$1 ~ /^[0-9a-f]+:$/ { insn[$1] = $2 " " $3 }
	$2 == "adr" { target[$4 ":"] = 1; nr++ }
	$2 " " $3 == "bti j" { pads++ }
	END {
		for (t in target)
			if (insn[t] != "bti j")
				print t " " insn[t]
		if (nr < 2 || pads < 17)
			print nr " targets, " pads " landing pads"
	}'
}

build_kernels -O2
result $? "selftest: the micro-kernels build for arm64"
disassembled >"$tmp/insns"
lacking_parts >"$tmp/out" && [ ! -s "$tmp/out" ] && [ -s "$tmp/insns" ]
result $? "selftest: each micro-kernel has its instructions in order"
sed -n 's/^SELFTEST_KERNEL(\([a-z0-9_]*\),.*/\1/p' "$here/../selftest_kernels.def.h" |
	sort >"$tmp/expected"
kernel_parts | cut -f 1 | sort -u | diff "$tmp/expected" - >"$tmp/out" && [ -s "$tmp/expected" ]
result $? "selftest: all micro-kernels have expected instructions"

build_kernels -O2 -mbranch-protection=standard
result $? "selftest: the micro-kernels build for BTI and PAC"
bare_targets >"$tmp/out" && [ ! -s "$tmp/out" ]
result $? "selftest: indirect branches of the micro-kernels lead to landing pads"
build_kernels -O3 -march=armv9-a -mbranch-protection=standard
result $? "selftest: the micro-kernels build for armv9-a"
# compiled to SVE instructions
cat >"$tmp/behind.c" <<'END'
#include "n3check/arm64/selftest_kernels_fp.c"
#include "n3check/arm64/selftest_kernels_mem.c"
void behind(float *restrict a, const float *restrict b, unsigned int n)
{
	while (n--)
		a[n] += b[n];
}
END
"${cross}gcc" -std=gnu11 -D_GNU_SOURCE -O3 -march=armv9-a -I"$here/../.." \
	-c -o "$tmp/behind.o" "$tmp/behind.c" 2>"$tmp/out" &&
	"${cross}objdump" -d "$tmp/behind.o" | sed '1,/<behind>:/d' | grep -q 'z[0-9]*\.s'
result $? "selftest: code after the micro-kernels may use their extensions"

# Without permission to execute, at once or later, the mapping must be removed, and its code not
# run. That file builds anywhere.
cat >"$tmp/denied.c" <<'END'
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "n3check/arm64/selftest_arena.h"
static int balance, allowed;
void *__real_mmap(void *p, size_t size, int protection, int flags, int fd, long offset);
int __wrap_mprotect(void *p, size_t size, int protection)
{
	errno = EACCES;
	return protection & PROT_EXEC && allowed-- <= 0 ? -1 : 0;
}
void *__wrap_mmap(void *p, size_t size, int protection, int flags, int fd, long offset)
{
	balance += size >> 20;
	return __real_mmap(p, size, protection, flags, fd, offset);
}
int __wrap_munmap(void *p, size_t size)
{
	balance -= size >> 20;
	return 0;
}
void *xreallocarray(void *p, size_t nr, size_t size)
{
	return reallocarray(p, nr, size);
}
static int is_left(int nr, arena_function *function)
{
	struct selftest_arena arena = {
		.sizes.code = 16 << 20, .sizes.page = 4096, .random = 1, .code = NULL
	};

	allowed = nr;
	arena_make_code(&arena);
	if (!arena.code != !nr)
		return 1;
	function(&arena);
	selftest_kernel_code_l2(&arena);
	selftest_kernel_code_memory(&arena);
	selftest_kernel_rewrites(&arena);
	return arena.code || balance;
}
int main(void)
{
	return is_left(0, selftest_kernel_rewrites) || is_left(1, selftest_kernel_rewrites) ||
	       is_left(1, selftest_kernel_code_memory);
}
END
gcc -std=gnu11 -D_GNU_SOURCE -I"$here/../.." -Wl,--wrap=mprotect,--wrap=mmap,--wrap=munmap \
	-o "$tmp/denied" "$tmp/denied.c" "$here/../arm64/selftest_code.c" >"$tmp/out" 2>&1 &&
	"$tmp/denied"
result $? "selftest: no mapping is left without permission to generate code"
