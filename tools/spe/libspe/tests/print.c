// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Packets as text, in the spelling of perf 6.1. Details that perf omits are appended, so each line
 * starts with perf's.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "libspe/record.h"
#include "print.h"

struct text {
	char *at;
	size_t left;
};

__attribute__((format(printf, 2, 3)))
static void put(struct text *text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text->at, text->left, format, arguments);
	va_end(arguments);
	if ((size_t)length >= text->left)
		length = text->left ? text->left - 1 : 0;
	text->at += length;
	text->left -= length;
}

static void put_if(struct text *text, uint64_t condition, const char *word)
{
	if (condition)
		put(text, " %s", word);
}

/* Packet of unknown index or class. */
static void put_raw(struct text *text, const char *name, const struct spe_packet *packet)
{
	put(text, "%s 0x%" PRIx64 " (%u)", name, packet->payload, packet->index);
}

static void put_events(struct text *text, uint64_t events)
{
	/* By bit; bits unknown to perf 6.1 come last. */
	static const struct {
		uint8_t bit;
		const char *name;
	} names[] = {
		{ 0, "EXCEPTION-GEN" }, { SPE_EVENT_RETIRED, "RETIRED" }, { 2, "L1D-ACCESS" },
		{ 3, "L1D-REFILL" }, { 4, "TLB-ACCESS" }, { SPE_EVENT_TLB_WALK, "TLB-REFILL" },
		{ SPE_EVENT_NOT_TAKEN, "NOT-TAKEN" }, { SPE_EVENT_MISPREDICTED, "MISPRED" },
		{ 8, "LLC-ACCESS" }, { 9, "LLC-REFILL" }, { 10, "REMOTE-ACCESS" },
		{ 11, "ALIGNMENT" }, { 17, "SVE-PARTIAL-PRED" }, { 18, "SVE-EMPTY-PRED" },
		{ SPE_EVENT_LATE_PREFETCH, "LATE-PREFETCH" }, { 16, "TXN" }, { 19, "L2D-ACCESS" },
		{ 20, "L2D-MISS" }, { 21, "CACHE-DATA-MODIFIED" }, { 22, "RECENTLY-FETCHED" },
		{ 23, "DATA-SNOOPED" }, { 24, "STREAMING-SVE-MODE" }, { 25, "SMCU" },
	};
	uint64_t known = 0;

	put(text, "EV");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		put_if(text, events >> names[i].bit & 1, names[i].name);
		known |= 1ull << names[i].bit;
	}
	if (events & ~known)
		put(text, " IMPDEF 0x%" PRIx64, events & ~known);
}

static void put_vector_length(struct text *text, unsigned int op)
{
	put(text, " EVLEN %d", 32 << (op >> 4 & 7));
}

/* Bit 0 of operations other than SVE and SME: conditional select. */
static void put_other(struct text *text, unsigned int op)
{
	if ((op & 0x89) == 0x08) {
		put(text, "SVE-OTHER");
		put_vector_length(text, op);
		put_if(text, op & 2, "FP");
		put_if(text, op & 4, "PRED");
		return;
	}
	put(text, "OTHER %s", op & 1 ? "COND-SELECT" : "INSN-OTHER");
	if ((op & 0x89) == 0x88) {
		put(text, " SME ETS %d", 128 << ((op >> 4 & 7) << 1 | (op >> 2 & 1)));
		put_if(text, op & 2, "FP");
	} else if (!(op & 0xf8)) {
		put_if(text, op & 4, "ASE");
		put_if(text, op & 2, "FP");
	}
}

static void put_register(struct text *text, unsigned int op)
{
	static const char * const names[256] = {
		[0x00] = "GP-REG", [0x04] = "SIMD-FP", [0x10] = "UNSPEC-REG", [0x30] = "NV-SYSREG",
		[0x14] = "MTE-TAG", [0x20] = "MEMCPY",
	};

	if (names[op & 0xfe])
		put(text, " %s", names[op & 0xfe]);
	put_if(text, op == 0x25, "MEMSET");
	if ((op & 0xfa) == 0x40) {
		put(text, " GCS");
		put_if(text, op & 4, "COMM");
	}
}

static void put_memory(struct text *text, unsigned int op)
{
	put(text, op & 1 ? "ST" : "LD");
	if ((op & 0xe2) == 2) {
		put_if(text, op & 4, "AT");
		put_if(text, op & 8, "EXCL");
		put_if(text, op & 0x10, "AR");
	}
	put_register(text, op);
	if ((op & 0x0a) == 8) {
		put_vector_length(text, op);
		put_if(text, op & 4, "PRED");
		put_if(text, op & 0x80, "SG");
	}
}

static void put_branch(struct text *text, unsigned int op)
{
	static const char * const kinds[] = { NULL, "CR-BL", "CR-RET", "CR-NON-BL-RET" };

	put(text, "B");
	put_if(text, op & 1, "COND");
	put_if(text, op & 2, "IND");
	put_if(text, op & 4, "GCS");
	put_if(text, op & 0x18, kinds[op >> 3 & 3]);
}

static void put_operation(struct text *text, const struct spe_packet *packet)
{
	switch (packet->index) {
	case SPE_OTHER:
		put_other(text, packet->payload);
		break;
	case SPE_LOAD_STORE:
		put_memory(text, packet->payload);
		break;
	case SPE_BRANCH:
		put_branch(text, packet->payload);
		break;
	default:
		put_raw(text, "OP-TYPE", packet);
	}
}

static void put_instruction(struct text *text, const char *name, uint64_t address)
{
	put(text, "%s 0x%" PRIx64 " el%d ns=%d", name, address & SPE_ADDRESS_BITS,
	    (int)(address >> 61 & 3), (int)(address >> 63));
	put_if(text, address >> 60 & 1, "nse=1");
}

static void put_address(struct text *text, const struct spe_packet *packet)
{
	uint64_t address = packet->payload;

	switch (packet->index) {
	case 0:
		put_instruction(text, "PC", address);
		break;
	case 1:
		put_instruction(text, "TGT", address);
		break;
	case 2:
		put(text, "VA 0x%" PRIx64, address);
		break;
	case 3:
		put(text, "PA 0x%" PRIx64 " ns=%d ch=%d pat=%x", address & SPE_ADDRESS_BITS,
		    (int)(address >> 63), (int)(address >> 62 & 1),
		    (unsigned int)(address >> 56 & 15));
		break;
	case 4:
		put_instruction(text, "PBT", address);
		break;
	default:
		put_raw(text, "ADDR", packet);
	}
}

static void put_counter(struct text *text, const struct spe_packet *packet)
{
	static const char * const names[] = { "TOT", "ISSUE", "XLAT", "ALT" };

	put(text, "LAT %u ", (uint16_t)packet->payload);
	if (packet->index < sizeof(names) / sizeof(*names))
		put(text, "%s", names[packet->index]);
	else
		put(text, "(%u)", packet->index);
}

static void put_packet(struct text *text, const struct spe_packet *packet)
{
	switch (packet->type) {
	case SPE_BAD:
		put(text, "Bad packet!");
		break;
	case SPE_PAD:
	case SPE_ALIGNMENT:
		put(text, "PAD");
		break;
	case SPE_END:
		put(text, "END");
		break;
	case SPE_TIMESTAMP:
		put(text, "TS %" PRId64, (int64_t)packet->payload);
		break;
	case SPE_EVENTS:
		put_events(text, packet->payload);
		break;
	case SPE_SOURCE:
		put(text, "DATA-SOURCE %" PRId64, (int64_t)packet->payload);
		break;
	case SPE_OPERATION:
		put_operation(text, packet);
		break;
	case SPE_CONTEXT:
		put(text, "CONTEXT 0x%" PRIx64 " el%u", packet->payload, packet->index + 1u);
		break;
	case SPE_COUNTER:
		put_counter(text, packet);
		break;
	case SPE_ADDRESS:
		put_address(text, packet);
		break;
	}
}

int spe_packet_print(const struct spe_packet *packet, char *text, size_t size)
{
	struct text to = { .at = text, .left = size };

	put_packet(&to, packet);
	return to.at - text;
}
