# SPDX-License-Identifier: GPL-2.0
# Rules of tools/ and tools/spe/, which set O, top (the path of tools/), libraries and archives in the
# linker's order, programs, their NAME_libs and NAME_commands.

at := $(abspath $(O))
PREFIX ?= /usr/local
LIBEXECDIR ?= $(PREFIX)/libexec/n3_telemetry
export DESTDIR PREFIX LIBEXECDIR
PYTHON ?= python3
SEED := 1
CFLAGS ?= -O2 -g
override CFLAGS += -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wshadow -Wformat=2
# the same results on every machine
override CFLAGS += -ffp-contract=off
module := $(top)/../drivers/perf/n3_telemetry
sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow
sanitize += -fno-sanitize-recover=all
comma := ,

# Libraries for another architecture are not installed.
cross := $(if $(filter-out $(shell gcc -dumpmachine),$(shell $(CC) -dumpmachine)),yes)
sysroot := $(if $(cross),$(shell $(top)/libs.sh $(shell $(CC) -dumpmachine)))
ifdef cross
triplet := $(shell $(CC) -dumpmachine)
lib_cflags := -isystem $(sysroot)/usr/include -isystem $(sysroot)/usr/include/$(triplet)
# Libraries of shared libraries are only on the other machine.
lib_ldflags := -L$(sysroot)/usr/lib/$(triplet) -Wl,--allow-shlib-undefined
endif

# Normal build, and one with sanitizers for the tests.
variants := obj sanitized
$(O)/sanitized/%.o: extra := $(sanitize)

# units FOLDER - its units without their suffix; lib is in the folder above spe
units = $(patsubst $(top)/%,%,$(basename $(sort $(wildcard $(if $(filter lib,$(1)),$(top)/)$(1)/*.[cS]))))
# NAME_folders: further folders of a program
$(foreach p,$(programs),$(eval \
	$(p)_units := $(foreach f,$(subst -,,$(p)) $($(p)_folders),$(call units,$(f)))))

define compile
@mkdir -p $(dir $@)
@echo '  CC      $*.o'
@$(CCACHE) $(CC) $(CPPFLAGS) -I. -I$(top) $(lib_cflags) $(CFLAGS) $(extra) -MMD -MP -c -o $@ $<
endef

define archive
@$(RM) $@
@$(AR) rcs $@ $^
endef

# link LIBRARIES,FLAGS
define link
@mkdir -p $(dir $@)
@echo '  LD      $(@:$(O)/%=%)'
@$(CC) $(CFLAGS) $(2) -o $@ $(filter %.o,$^) $(filter %.a,$^) -Wl,--as-needed $(1)
endef

makefiles := Makefile $(top)/build.mk
define rules
$(O)/$(1)/%.o: %.c $(makefiles)
	$$(compile)
$(O)/$(1)/%.o: %.S $(makefiles)
	$$(compile)
$(O)/$(1)/lib/%.o: $(top)/lib/%.c $(makefiles)
	$$(compile)
$(O)/$(1)/lib/%.o: $(top)/lib/%.S $(makefiles)
	$$(compile)
$(foreach l,$(libraries),
$(O)/$(1)/$(l).a: $(patsubst %,$(O)/$(1)/%.o,$(call units,$(l)))
	$$(archive))
endef
$(foreach v,$(variants),$(eval $(call rules,$(v))))

# program NAME - normal build, and one with sanitizers in tests/
define program
$(O)/$(1): $($(1)_units:%=$(O)/obj/%.o) $(archives:%=$(O)/obj/%)
	$$(call link,$($(1)_libs),$$(LDFLAGS) $$(lib_ldflags))
	$$(call command_links,$(1))
$(O)/tests/$(1): $($(1)_units:%=$(O)/sanitized/%.o) $(archives:%=$(O)/sanitized/%)
	$$(call link,$($(1)_libs),$$(sanitize))
	$$(call command_links,$(1))
endef
command_links = $(foreach c,$($(1)_commands),@ln -sf $(1) $(@D)/n3stat-$(c)$(newline))
define newline


endef
$(foreach p,$(programs),$(eval $(call program,$(p))))

# The version of the module's sources.
$(variants:%=$(O)/%/lib/program.o): override CPPFLAGS += -DVERSION='"$(shell $(top)/dev/version.sh)"'
$(variants:%=$(O)/%/lib/program.o): $(module)/libn3t/n3t.h
# Embedded, which the compiler's dependency files lack.
$(variants:%=$(O)/%/lib/html_style.o): $(top)/lib/page.css

FORCE:
.PHONY: FORCE
.SECONDARY:
-include $(foreach v,$(variants),$(wildcard $(O)/$(v)/*/*.d $(O)/$(v)/*/*/*.d))
