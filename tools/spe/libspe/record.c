// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A record from its packets. */
#include "record.h"

static enum spe_added add_unknown(struct spe_record *record)
{
	record->has |= SPE_HAS_UNKNOWN;
	return SPE_ADDED_UNKNOWN;
}

/* Marks @field as present; true for the first packet of its kind. */
static inline bool is_new(struct spe_record *record, uint32_t field)
{
	bool new = !(record->has & field);

	record->has |= field;
	return new;
}

static inline enum spe_added set(struct spe_record *record, uint32_t field, uint64_t *to,
				 uint64_t value)
{
	if (!is_new(record, field))
		return SPE_TWICE;
	*to = value;
	return SPE_ADDED;
}

static enum spe_added add_address(struct spe_record *record, unsigned int index, uint64_t value)
{
	uint64_t address = spe_canonical(value);

	switch (index) {
	case 0:
		record->el = spe_level(value);
		return set(record, SPE_HAS_PC, &record->pc, address);
	case 1:
		return set(record, SPE_HAS_TARGET, &record->target, address);
	case 2:
		record->tag = value >> 56;
		return set(record, SPE_HAS_VA, &record->va, address);
	case 3:
		return set(record, SPE_HAS_PA, &record->pa, value & SPE_ADDRESS_BITS);
	case 4:
		return set(record, SPE_HAS_PREVIOUS, &record->previous, address);
	default:
		return add_unknown(record);
	}
}

static inline enum spe_added set_counter(struct spe_record *record, uint32_t field, uint16_t *to,
					 uint16_t value)
{
	if (!is_new(record, field))
		return SPE_TWICE;
	*to = value;
	return SPE_ADDED;
}

static enum spe_added add_counter(struct spe_record *record, unsigned int index, uint16_t value)
{
	switch (index) {
	case 0:
		return set_counter(record, SPE_HAS_TOTAL, &record->total, value);
	case 1:
		return set_counter(record, SPE_HAS_ISSUE, &record->issue, value);
	case 2:
		return set_counter(record, SPE_HAS_TRANSLATION, &record->translation, value);
	case 3:
		return set_counter(record, SPE_HAS_ALTERNATE, &record->alternate, value);
	default:
		return add_unknown(record);
	}
}

static enum spe_added add_context(struct spe_record *record, unsigned int index, uint32_t value)
{
	if (index > 1)
		return add_unknown(record);
	if (!is_new(record, index ? SPE_HAS_CONTEXT2 : SPE_HAS_CONTEXT1))
		return SPE_TWICE;
	record->context[index] = value;
	return SPE_ADDED;
}

static enum spe_added add_operation(struct spe_record *record, unsigned int class, uint8_t value)
{
	if (!is_new(record, SPE_HAS_OPERATION))
		return SPE_TWICE;
	record->op_class = class;
	record->op = value;
	return class > SPE_BRANCH ? add_unknown(record) : SPE_ADDED;
}

enum spe_added spe_record_add(struct spe_record *record, const struct spe_packet *packet)
{
	switch (packet->type) {
	case SPE_ADDRESS:
		return add_address(record, packet->index, packet->payload);
	case SPE_COUNTER:
		return add_counter(record, packet->index, packet->payload);
	case SPE_CONTEXT:
		return add_context(record, packet->index, packet->payload);
	case SPE_OPERATION:
		return add_operation(record, packet->index, packet->payload);
	case SPE_EVENTS:
		return set(record, SPE_HAS_EVENTS, &record->events, packet->payload);
	case SPE_SOURCE:
		return set(record, SPE_HAS_SOURCE, &record->source, packet->payload);
	case SPE_TIMESTAMP:
		return set(record, SPE_HAS_TIME, &record->time, packet->payload);
	default:
		return SPE_ADDED;
	}
}
