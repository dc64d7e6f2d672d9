# SPDX-License-Identifier: GPL-2.0
# Makefile of a folder: its scripts are tests, C programs are compiled.

KSFT ?= ../..

TEST_PROGS ?= $(wildcard *.sh)
TEST_FILES ?= $(wildcard *.awk *.tsv)
TEST_GEN_FILES ?= $(patsubst %.c,%,$(wildcard *.c))
CFLAGS += -O2 -Wall -pthread
LDLIBS += -lm

include $(KSFT)/lib.mk

ifeq ($(TEST_PROGS),)
override RUN_TESTS := :
endif
