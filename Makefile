# SPDX-License-Identifier: GPL-2.0
# Targets for people. The kernel's part is in Kbuild, the emulated machine in
# selftests/qemu/, scripts for developers in tools/dev/.

# for "make" alone: the kernel to build for
KDIR ?= /lib/modules/$(shell uname -r)/build
# for the emulated machine: one of Debian's stock kernels (6.1, 6.12, newest), or debug
GUEST := $(or $(KERNEL),6.1)

qemu := selftests/qemu
# called with +, or make does not share its job slots
tools = $(MAKE) -s --no-print-directory -C tools $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all modules modules_install deps test-deps tools tools-arm64 demo demo-fleet shell check test user-tests
.PHONY: spe-tests guest-modules deb deb-test image dist docs samples kunit kselftest profile bench test-long
.PHONY: mutants test-install upstream clean help

all: modules

ifdef KERNEL
modules: deps
	@$(qemu)/modules.sh $(KERNEL)

modules_install:
	$(error modules for KERNEL=$(KERNEL) run in the emulated machine: only those for KDIR= are installed)
else
kdir = "$$(realpath -m "$(or $(strip $(KDIR)),$(error KDIR= is empty: give it a kernel's build tree))")"

modules:
	@$(qemu)/modules.sh $(kdir)

modules_install:
	@$(qemu)/modules.sh $(kdir) install
endif

# Debian's packages: those for building and the emulated machine, and all
deps:
	@tools/dev/install-deps.sh

test-deps:
	@tools/dev/install-deps.sh --all

tools: tools-arm64
	+@$(tools) O=$(CURDIR)/build/tools

tools-arm64: deps
	+@$(tools) O=$(CURDIR)/build/tools-arm64 CC=aarch64-linux-gnu-gcc LDFLAGS=-static

deb: deps
	@tools/dev/deb.sh

image: deb
	@tools/dev/image.sh

docs:
	@tools/dev/install-deps.sh python3-sphinx python3-myst-parser furo mandoc
	@tools/dev/docs.py
	@echo '  build/docs/html/index.html'

# output in the documentation, from the emulated machine
samples: tools
	@$(qemu)/samples.sh write
	@selftests/spe/qemu/spe_profile.sh && selftests/spe/qemu/spe_samples.sh write

dist:
	@tools/dev/dist.sh

guest-modules: deps
	@$(qemu)/modules.sh $(GUEST)

# Time is counted in instructions there: values do not depend on the host's speed.
demo: guest-modules tools-arm64
	@echo '  booting an emulated Neoverse N3, some ten seconds'
	@$(qemu)/run.sh -k $(GUEST) -m turns -a loglevel=3 -o build/demo demo

demo-fleet: guest-modules tools-arm64
	@tools/dev/install-deps.sh python3
	@programs=$$(tools/n3exporter/tests/prometheus.sh) && \
		exec $(qemu)/demo_fleet.py $(GUEST) "$$programs" build/demo-fleet

# Idle CPUs tick there, so that they have values.
shell: guest-modules tools-arm64
	@$(qemu)/run.sh -k $(GUEST) -m tick -a loglevel=4 -I shell

check: test-deps
	@tools/dev/check.sh

user-tests: test-deps
	@$(MAKE) --no-print-directory -C selftests/user run

spe-tests: test-deps tools
	+@$(MAKE) --no-print-directory -C tools/spe O=$(CURDIR)/build/tools/spe check
	@$(qemu)/kselftest.sh $(GUEST) $$(cd selftests/spe && ls spe_*.sh)
	@selftests/spe/qemu/spe_profile.sh

deb-test: test-deps
	@tools/dev/deb_test.sh

kunit: test-deps
	@$(qemu)/kunit.sh

kselftest: test-deps tools
	@$(qemu)/kselftest.sh $(GUEST) $(TESTS)

# of a slice, of a read of FILE, or of a slice due to SETTING
profile: deps
	@tools/dev/profile.sh $(GUEST) "$(FILE)" $(SETTING)

# cost of slices and reads, compared with perf
bench: test-deps tools
	@tools/dev/bench.sh $(GUEST)

test: test-deps
	@tools/dev/test.sh

test-long: test-deps tools
	@tools/dev/test-long.sh

# changes of single lines, each of which a test must notice
mutants: test-deps
	@tools/dev/mutants.py $(CHANGES)

# packages in an emulated Debian with systemd
test-install:
	@$(qemu)/install.sh $(STAGES)

# patches for the kernel's maintainers
upstream: test-deps
	@upstream/run.sh $(STEPS)

clean:
	rm -rf build

help:
	@echo 'Build'
	@echo '  make                      modules for the running kernel, or KDIR=<build tree>'
	@echo '  make modules KERNEL=6.1   for Debian'\''s stock arm64 kernel; 6.12, newest'
	@echo '  make modules_install      install n3_telemetry, which plain "make" has built'
	@echo '  make tools                n3stat, n3top, n3rec, n3spe, n3check, n3-exporter; for arm64, too'
	@echo '  make deb                  Debian packages for amd64 and arm64'
	@echo '  make image                n3-exporter as an OCI archive for amd64 and arm64: daemonset.yaml'
	@echo '  make dist                 release archive of the last commit in build/'
	@echo '  make docs                 the documentation as HTML in build/docs/html, with search'
	@echo '  make samples              write the output of commands into the documentation anew'
	@echo 'Try: on an emulated Neoverse N3, no Arm hardware needed'
	@echo '  make demo                 four CPUs, four workloads, measured and known values, n3stat'
	@echo '  make demo-fleet           four such machines, Prometheus and its page for a browser'
	@echo '  make shell                a prompt there; KERNEL=6.12, newest, debug'
	@echo 'Test'
	@echo '  make test                 all of the following; ends with "N passed, N failed"'
	@echo '  make check                static checks: compiler warnings, style, documents'
	@echo '  make user-tests           the arithmetic, as a program under sanitizers'
	@echo '  make spe-tests            SPE: decoder, n3spe, an emulated N3 with SPE'
	@echo '  make deb-test             Debian packages: contents, lintian, DKMS, scripts in a chroot'
	@echo '  make kunit                KUnit suites in the emulated machine'
	@echo '  make kselftest            kselftests there; TESTS="a.sh b.sh", KERNEL='
	@echo '  make profile              instructions of a slice by function; FILE=cpu0/topdown_l1: of a read;'
	@echo '                            SETTING=replicates=1: the part of a slice due to it'
	@echo '  make bench                cost of a slice and of a read, compared with perf; KERNEL='
	@echo '  make test-long            the long versions, two hours at most'
	@echo '  make mutants              changes single lines, which tests must notice; CHANGES="verdict.c"'
	@echo '  make test-install         packages in an emulated arm64 Debian with systemd: installation, kernel'
	@echo '                            upgrade, removal, Debian 13; hours, root; STAGES="install reboot"'
	@echo '  make upstream             patches for the newest kernel and its perf: apply, build, effect;'
	@echo '                            half an hour the first time; STEPS="style build perf machine"'
	@echo '  make clean                remove build/; downloads stay in ~/.cache/n3_telemetry'
