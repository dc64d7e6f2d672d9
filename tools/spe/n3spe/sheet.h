/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tables of a report, printed as text, JSON or HTML. */
#ifndef N3SPE_SHEET_H
#define N3SPE_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SPE_SHARE_KEY	"share"	/* of the column of shares */
#define SPE_COLUMNS_MAX	20
#define SPE_SHEETS_MAX	17
/* From these on, columns are left out of the text before names are below NAME_KEPT, paths cut. */
enum { SPE_RANK_NAMES = 4, SPE_RANK_COUNTS };
#define SPE_RANK_MAX	10

enum spe_cell_kind {
	SPE_CELL_NONE,
	SPE_CELL_TEXT,
	SPE_CELL_COUNT,
	SPE_CELL_NUMBER,
	SPE_CELL_SHARE,
	SPE_CELL_SECONDS,
	SPE_CELL_HEX,
};

struct spe_cell {
	enum spe_cell_kind kind;
	bool at_least;		/* saturated */
	union {
		char *text;
		uint64_t count;
		double number;
	};
};

/* Cells that the text shortens: the middle of a name, the start of a path. */
enum spe_cut { SPE_CUT_NONE, SPE_CUT_NAME, SPE_CUT_PATH };

struct spe_column {
	const char *key;	/* in JSON */
	const char *title;
	/* Left out of the text if empty, or for its width, highest first; 0: never. */
	unsigned int rank;
	enum spe_cut cut;
};

#define SPE_COLUMN(k, t, ...)	{ .key = k, .title = t, __VA_ARGS__ }

/* One table. In a list of facts, each row has three cells: a key for JSON, a name and a value. */
struct spe_sheet {
	const char *key, *title;
	const struct spe_column *columns;
	size_t nr_columns;
	bool is_facts;
	char *note;			/* or NULL; freed with the sheet */
	const char *share;		/* title of the column of shares, NULL: its own */
	unsigned int kept;		/* columns left out last; bit 0: the first one */
	size_t first_name;		/* column that comes first on the page */
	struct spe_cell *cells;		/* row by row */
	size_t nr_cells, max_cells;
};

struct spe_sheets {
	struct spe_sheet v[SPE_SHEETS_MAX];
	size_t nr;
};

void spe_sheets_free(struct spe_sheets *sheets);

/* The functions add a cell; this one without a value. */
struct spe_cell *spe_cell(struct spe_sheet *sheet, enum spe_cell_kind kind);
void spe_cell_text(struct spe_sheet *sheet, const char *text);
void spe_cell_take(struct spe_sheet *sheet, char *text);	/* freed with the sheet */
struct spe_cell *spe_cell_count(struct spe_sheet *sheet, uint64_t count);
/* Empty if @whole or @nr is 0. */
void spe_cell_share(struct spe_sheet *sheet, uint64_t part, uint64_t whole);
struct spe_cell *spe_cell_mean(struct spe_sheet *sheet, uint64_t sum, uint64_t nr);

/* Return: the value of a fact, to be set. */
struct spe_cell *spe_fact(struct spe_sheet *sheet, const char *key, const char *title,
			  enum spe_cell_kind kind);
void spe_fact_text(struct spe_sheet *sheet, const char *key, const char *title, const char *text);
void spe_fact_count(struct spe_sheet *sheet, const char *key, const char *title, uint64_t count);
/* The same unless it is 0. */
void spe_fact_if(struct spe_sheet *sheet, const char *key, const char *title, uint64_t count);

ssize_t spe_sheet_rows(const struct spe_sheet *sheet);
const struct spe_cell *spe_sheet_at(const struct spe_sheet *sheet, ssize_t row, size_t column);
/* Return: the text of a cell, maybe in @number, or with the row -1 the head of the column. */
#define SPE_CELL_MAX	64
const char *spe_sheet_text(const struct spe_sheet *sheet, ssize_t row, size_t column,
			   char *number);

/* Text in lines of @width. */
void spe_sheets_print(const struct spe_sheets *sheets, FILE *out, size_t width);
void spe_sheets_json(const struct spe_sheets *sheets, FILE *out);
void spe_sheets_page(const struct spe_sheets *sheets, FILE *out, const char *title);

#endif
