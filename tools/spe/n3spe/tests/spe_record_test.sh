# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat spe record without SPE: refused arguments, and no change of files.

record_file=$tmp/record.data

# rejects CODE "ID [REGEX]" NAME ARGUMENT...: like refuses, and checks that no file is created
rejects()
{
	expected=$1 error=$2 called=$3
	shift 3
	refuses "$expected" "$error" "$called" spe record -o "$record_file" "$@"
}

rejects 2 "bad_value '1-'" "spe record: a bad list of CPUs" -C 1-
rejects 2 "bad_value '3-1'" "spe record: a descending list of CPUs" -C 3-1
rejects 2 "bad_value '0,'" "spe record: a list of CPUs that ends with a comma" -C 0,
rejects 2 "bad_value '99999'" "spe record: a CPU number out of range" -C 99999
rejects 2 "bad_value '0'" "spe record: process 0" -p 0
rejects 2 "bad_value 'x'" "spe record: a process that is not a number" -p 1,x
rejects 2 "bad_value '255'.* 256 to 4294967040" \
	"spe record: a period below what the driver knows" --period 255
rejects 2 "bad_value '4294967041'" "spe record: a period above it" --period 4294967041
rejects 2 "bad_value '8k'" "spe record: a period with a unit" --period 8k
rejects 2 "bad_value '-1'" "spe record: a negative period" --period=-1
rejects 2 "bad_value '0'" "spe record: a latency without effect" --min-latency 0
rejects 2 "bad_value '65536'" "spe record: a latency above the maximum" --min-latency 65536
rejects 2 "bad_value '0'" "spe record: an empty mask" --event-filter 0
rejects 2 "bad_value ','" "spe record: no names in a list" --event-filter ,
rejects 5 "unknown_event 'tlb'" "spe record: an unknown event" \
	--event-filter retired,tlb
rejects 5 "unknown_event 'x'" "spe record: an unknown event to be absent" \
	--inverse-event-filter x
rejects 2 "bad_value '0'" "spe record: event names as in reports, and with dashes" \
	--event-filter l1d_refill,remote_access,misaligned,tlb-walk --seconds 0
rejects 2 "bad_value '0'" "spe record: no recording time" --seconds 0
for size in 0 1 4k 5000 24k 2g 1024m0 '' 18446744073709551616k 17592186044417m; do
	rejects 2 "bad_value '$size'" "spe record: a buffer of '$size'" "--aux-size=$size"
done
rejects 2 conflicting_options "spe record: neither kernel nor user" \
	--kernel --user
rejects 2 conflicting_options "spe record: a process and a command" \
	-p 1 -- true
refuses 2 "bad_value perf.data .*-o FILE" "spe record: perf.data in a pipe" \
	spe record -o -

[ ! -e "$record_file" ]
result $? "spe record: refused arguments create no file"

if ls /sys/bus/event_source/devices/arm_spe_* >/dev/null 2>&1; then
	skip "spe record: no SPE" "there is SPE here"
	skip "spe record: no file without SPE" "there is SPE here"
else
	echo keep >"$record_file"
	refuses 1 no_spe "spe record: no SPE" \
		spe record -o "$record_file" --seconds 1 -- true
	same "spe record: a file is unchanged if recording is impossible" keep "$(cat "$record_file")"
fi

# on a made-up machine with SPE

# fails ERRNO CODE "ID [REGEX]" NAME ARGUMENT...: exit status and error if perf fails with ERRNO
fails()
{
	error=$1 expected=$2 id=${3%% *} regex=${3#"${3%% *}"} called=$4
	shift 4
	echo keep >"$record_file"
	stubbed "$error" spe record -o "$record_file" --seconds 1 "$@"
	[ $? -eq "$expected" ] && has_message "$id" "${regex# }" && [ "$(cat "$record_file")" = keep ]
	result $? "spe record: $called"
}
stub_machine
echo 2 >"$box/proc/sys/kernel/perf_event_paranoid"
fails 0 1 no_buffers "buffers that cannot be mapped"
fails 5 1 perf_failed "an unexpected error of perf" -C 0
fails 24 1 open_files_limit "too many open files"
fails 19 4 cpu_without_spe "a CPU on which the driver has no SPE" -C 0
fails 0 4 "no_such_cpu 7" "a CPU that does not exist" -C 7
echo 0-2 >"$box/sys/devices/system/cpu/online"
fails 0 4 "no_such_cpu 3" "a CPU that is offline" -C 3
echo 0-3 >"$box/sys/devices/system/cpu/online"
echo 0-1 >"$spe_pmu/cpumask"
fails 0 4 "cpu_without_spe 2" "a CPU without SPE" -C 0,2
cp -r "$spe_pmu" "${spe_pmu%0}1"
echo 2-3 >"${spe_pmu%0}1/cpumask"
fails 5 1 perf_failed "two PMUs"
fails 5 1 perf_failed "CPUs of one of two PMUs" -C 2-3
rm -r "${spe_pmu%0}1"
echo 1024 >"$spe_pmu/caps/min_interval"
fails 5 1 "short_period 1023 .*1024" "a period below the minimum" --period 1023
fails 5 1 perf_failed "a period at the minimum" --period 1024
has_message short_period "" 0
result $? "spe record: no warning of a period at the minimum"

# The manual page must have exactly the known names.
sed -n '/^\.BR \\-\\-event\\-filter/,/^Filters are/p' "$here/../../man/n3stat-spe-record.1" |
	sed 's/\\-/-/g; s/^\.BR//' | tr -d '",' | tr ' ' '\n' | grep -E '^[a-z0-9]+-?[a-z]*\.?$' |
	sed 's/\.$//' |
		grep -xE 'exception|retired|misaligned|mispredicted|transactional|[a-z0-9]+-[a-z]+' |
	sort -u >"$tmp/named"
sed -n 's/^EVENT([0-9]*, \([a-z0-9_]*\), .*/\1/p' "$here/../events.def.h" | tr _ - |
	sort >"$tmp/known"
diff "$tmp/named" "$tmp/known" >"$tmp/out" 2>"$tmp/err"
result $? "spe record: the manual page has all events"

# Build id of a file that may have replaced the mapped one: decided by its inode and,
# without a process to determine the directory "/", its device.
cat >"$tmp/build_id.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "n3spe/record_build_ids.h"
/* build_id PID INODE DEVICE NAME; a PID of 0 is this process */
int main(int argc, char **argv)
{
	struct spe_mmap2 *map = calloc(1, sizeof(*map));
	void *files = NULL;

	/* the page at 0 is mapped nowhere */
	map->len = 4096;
	map->pid = atoi(argv[1]) ? atoi(argv[1]) : getpid();
	map->inode = strtoull(argv[2], NULL, 10);
	map->major = major(strtoull(argv[3], NULL, 10));
	map->minor = minor(strtoull(argv[3], NULL, 10));
	spe_build_id_of_file(&files, map, argv[argc - 1]);
	if (!(map->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		return puts("none") < 0;
	for (int i = 0; i < map->build_id_size; i++)
		printf("%02x", map->build_id[i]);
	return putchar('\n') < 0;
}
END
ran=$tmp/ran replaced=$tmp/replaced
gcc -std=gnu11 -D_GNU_SOURCE -I"$here/../.." -I"$here/../../.." \
	-o "$tmp/build_id" "$tmp/build_id.c" \
	-DVERSION='"0"' "$here/../record_build_ids.c" "$here"/../../../lib/*.c \
	-ljson-c -ldw -lelf >"$tmp/out" 2>&1 &&
	echo 'int main(void) { return 0; }' | gcc -x c -Wl,--build-id=0x0123456789abcdef -o "$ran" - &&
	echo 'int main(void) { return 0; }' | gcc -x c -Wl,--build-id=0xfedcba9876543210 -o "$replaced" -
result $? "spe record: the build id unit builds separately"
inode=$(stat -c %i "$ran") device=$(stat -c %d "$ran")
mv "$ran" "$ran.old"
mv "$replaced" "$ran"
new_inode=$(stat -c %i "$ran")

# id_is WANTED NAME PID INODE DEVICE FILE
id_is()
{
	wanted=$1 name=$2
	shift 2
	same "spe record: $name" "$wanted" "$("$tmp/build_id" "$@")"
}
# an unused process ID
nobody=4194305
[ "$inode" -ne "$new_inode" ]
result $? "spe record: a replacing file has its own inode"
id_is fedcba9876543210 "build id of a file of that name and inode" 0 "$new_inode" "$device" "$ran"
id_is fedcba9876543210 "build id for any device, as on an overlay" 0 "$new_inode" 0 "$ran"
id_is none "no build id of a file that replaced the mapped one" 0 "$inode" "$device" "$ran"
id_is 0123456789abcdef "build id of the mapped file if it has the name" 0 "$inode" "$device" \
	"$ran.old"
id_is fedcba9876543210 "the same after the process has ended" $nobody "$new_inode" "$device" "$ran"
id_is none "no build id of a replaced file after the process has ended" $nobody "$inode" "$device" \
	"$ran"
id_is none "no build id of another device's file after the process has ended" \
	$nobody "$new_inode" $((device + 1)) "$ran"

# Two PMUs, which the made-up machine cannot record: the writer alone. A lost window, and 100
# bytes of CPU 2's buffer that wrap around its end.
cat >"$tmp/write.c" <<'END'
#include <string.h>
#include "n3spe/record_session.h"
int main(int argc, char **argv)
{
	static uint8_t buffer[4096];
	struct spe_pmu pmus[] = { { "arm_spe_0", 8, { 0 }, 1024 }, { "arm_spe_1", 9, { 0 }, 2048 } };
	struct spe_ring rings[] = {
		{ .number = 0, .cpu = 0, .pmu = pmus },
		{ .number = 1, .cpu = 1 },
		{ .number = 2, .cpu = 2, .pmu = pmus + 1, .aux = buffer, .aux_size = 4096,
		  .base = 8192, .tail = 4096 - 60 },
	};
	struct spe_record_options options = { .words = argv };
	struct spe_session session = {
		.options = &options, .pmus = { pmus, 2 }, .rings = rings, .nr_rings = 3,
		.period = 4096,
	};

	memset(buffer, 'b', 40);
	memset(buffer + 4096 - 60, 'a', 60);
	spe_out_open(&session.out, argv[1]);
	spe_put_begin(&session);
	spe_put_mark(&session.out, SPE_PERF_FINISHED_INIT);
	spe_put_aux(&session.out, rings + 2, 100);
	spe_put_lost(&session.out, rings, SPE_LOST_OFFLINE, 77);
	spe_put_mark(&session.out, SPE_PERF_FINISHED_ROUND);
	spe_put_end(&session);
	spe_out_free(&session.out);
	return argc != 2;
}
END
gcc -std=gnu11 -D_GNU_SOURCE -I"$here/../.." -I"$here/../../.." -o "$tmp/write" "$tmp/write.c" \
	-DVERSION='"0"' "$here"/../record_*.c "$here/../errors.c" "$here/../machine.c" \
	"$here"/../../../lib/*.c -ljson-c -ldw -lelf -lm >"$tmp/out" 2>&1 && "$tmp/write" "$tmp/two.data"
result $? "spe record: the writer builds separately"
python3 - "$tmp/two.data" >"$tmp/out" 2>"$tmp/err" <<'END'
import struct, sys
file = open(sys.argv[1], "rb").read()
words = struct.unpack_from("<8s12Q", file)
attrs, (at, size) = words[3:5], words[5:7]
for i in range(attrs[0], attrs[0] + attrs[1], words[2]):
    ids, nr = struct.unpack_from("<2Q", file, i + words[2] - 16)
    print("event", struct.unpack_from("<I", file, i)[0],
          struct.unpack_from(f"<{nr // 8}Q", file, ids))
end = at + size
while at < end:
    kind, _, size = struct.unpack_from("<IHH", file, at)
    body = file[at + 8:at + size]
    if kind == 70:
        info = list(struct.unpack(f"<{len(body) // 8}Q", body))
        print("info", info[:5], [info[i:i + 3] + info[i + 4:i + 6] for i in range(5, len(info), 6)])
    elif kind == 71:
        data = file[at + size:at + size + struct.unpack_from("<Q", body)[0]]
        print("data", struct.unpack("<QQQIIII", body)[:6], data == b"a" * 60 + b"b" * 40 + bytes(4))
        size += len(data)
    elif kind == 72:
        print("error", struct.unpack_from("<IIIiiIQQ", body), body[40:].rstrip(b"\0"))
    else:
        print(kind)
    at += size
print(at == end, [i for i in range(64) if words[9] >> i & 1])
END
cat >"$tmp/expected" <<'END'
event 8 (2,)
event 9 (6,)
event 1 (1, 3, 5)
69
info [4, 2, 4, 8, 2] [[1157442765409226768, 0, 3, 8, 1024], [1157442765409226768, 2, 3, 9, 2048]]
82
data (104, 12228, 0, 2, 4294967295, 2) True
error (1, 4, 0, -1, -1, 1, 0, 77) b'CPU offline'
68
True [3, 4, 5, 6, 7, 9, 11, 12, 16, 18]
END
cmp -s "$tmp/expected" "$tmp/out"
result $? "spe record: a file of two PMUs has the types, CPUs and data of each"

run spe record --help && [ "$(wc -l <"$tmp/out")" -le 24 ] && [ "$(wc -L <"$tmp/out")" -le 80 ]
result $? "spe record: help fits a screen"
