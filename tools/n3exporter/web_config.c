// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The file of --web.config.file. A setting that was ignored would leave the server open, so each
 * unknown one is an error. Errors do not quote values of users, which may be passwords.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "lib/memory.h"
#include "lib/names.h"
#include "web_config.h"

#define MIN_COST	4
/* A hash of this cost takes more than a second. */
#define MAX_COST	14

#define TLS		"tls_server_config"

struct reader {
	const char *file;
	struct web_config *config;
	struct failure *failure;
	yaml_document_t *document;
	const yaml_node_t *tls;		/* its section, or NULL */
};

struct word {
	const char *name;		/* NULL ends a list */
	unsigned int value;
};

struct key {
	const char *section;
	const char *name;		/* NULL: any */
	bool (*take)(const struct reader *reader, const struct key *key, const char *name,
		     const yaml_node_t *value);
	size_t offset;			/* in struct web_config */
	const struct word *words;
};

static bool __printf(3, 4) bad(const struct reader *reader, const yaml_node_t *node,
			       const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	failure_set(reader->failure, ERR_BAD_VALUE, "%s:%zu: %s", reader->file,
		    node->start_mark.line + 1, text);
	free(text);
	return false;
}

static const yaml_node_t *node_at(const struct reader *reader, int index)
{
	return yaml_document_get_node(reader->document, index);
}

/* Return: NULL after an error. */
static const char *text_of(const struct reader *reader, const yaml_node_t *node)
{
	if (node->type == YAML_SCALAR_NODE &&
	    strlen((char *)node->data.scalar.value) == node->data.scalar.length)
		return (char *)node->data.scalar.value;
	bad(reader, node, "this is not a string");
	return NULL;
}

/* As in YAML 1.1. Other programs that write this format leave out values so. */
static bool is_null(const yaml_node_t *node)
{
	const char *text = (char *)node->data.scalar.value;

	return node->type == YAML_SCALAR_NODE &&
	       node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (!*text || !strcmp(text, "~") || !strcasecmp(text, "null"));
}

static void *field_of(const struct reader *reader, const struct key *key)
{
	return (char *)reader->config + key->offset;
}

/* Names are relative to the directory of the file. */
static bool take_file(const struct reader *reader, const struct key *key, const char *name,
		      const yaml_node_t *value)
{
	const char *slash = strrchr(reader->file, '/');
	char **path = field_of(reader, key);

	name = text_of(reader, value);
	if (!name)
		return false;
	if (*name == '/')
		*path = xstrdup(name);
	else if (*name)
		*path = format_string("%.*s/%s", slash ? (int)(slash - reader->file) : 1,
				      slash ? reader->file : ".", name);
	return true;
}

static bool bad_word(const struct reader *reader, const struct key *key, const yaml_node_t *value)
{
	char *names = NULL;
	bool ret;

	for (const struct word *word = key->words; word->name; word++)
		if (*word->name)
			append_text(&names, ", ", "%s", word->name);
	ret = bad(reader, value, "%s is not '%s'; write one of %s", key->name,
		  (char *)value->data.scalar.value, names);
	free(names);
	return ret;
}

static bool take_word(const struct reader *reader, const struct key *key, const char *name,
		      const yaml_node_t *value)
{
	unsigned int *to = field_of(reader, key);

	name = text_of(reader, value);
	if (!name)
		return false;
	for (const struct word *word = key->words; word->name; word++)
		if (!strcmp(word->name, name)) {
			*to = word->value;
			return true;
		}
	return bad_word(reader, key, value);
}

/* An empty list permits no certificate, as in the toolkit. */
static bool take_names(const struct reader *reader, const struct key *key, const char *name,
		       const yaml_node_t *value)
{
	char ***names = field_of(reader, key);
	ptrdiff_t nr;

	if (value->type != YAML_SEQUENCE_NODE)
		return bad(reader, value, "%s is not a list", name);
	nr = value->data.sequence.items.top - value->data.sequence.items.start;
	*names = xcalloc(nr + 1, sizeof(**names));
	for (ptrdiff_t i = 0; i < nr; i++) {
		name = text_of(reader, node_at(reader, value->data.sequence.items.start[i]));
		if (!name)
			return false;
		(*names)[i] = xstrdup(name);
	}
	return true;
}

static bool is_bcrypt(const char *hash)
{
	static const char digits[] =
		"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

	return (!strncmp(hash, "$2a$", 4) || !strncmp(hash, "$2b$", 4) ||
		!strncmp(hash, "$2y$", 4)) && strspn(hash + 4, "0123456789") == 2 &&
	       hash[6] == '$' && strspn(hash + 7, digits) == 53 && !hash[60];
}

static bool take_user(const struct reader *reader, const struct key *key, const char *name,
		      const yaml_node_t *value)
{
	struct web_config *config = reader->config;
	const char *hash = text_of(reader, value);
	unsigned long cost;

	(void)key;
	if (!hash)
		return false;
	if (strchr(name, ':'))
		return bad(reader, value, "the name of a user cannot have a colon");
	if (!is_bcrypt(hash))
		return bad(reader, value,
			   "the value of '%s' is no hash of bcrypt: use htpasswd -nBC 10 ''", name);
	cost = strtoul(hash + strlen("$2b$"), NULL, 10);
	if (cost < MIN_COST || cost > MAX_COST)
		return bad(reader, value, "the cost of '%s' is not %d to %d", name, MIN_COST,
			   MAX_COST);
	config->users = xreallocarray(config->users, config->nr_users + 1, sizeof(*config->users));
	config->users[config->nr_users++] = (struct web_user) { xstrdup(name), xstrdup(hash),
								cost };
	return true;
}

static const struct word versions[] = {
	{ "TLS10", 0 }, { "TLS11", 1 }, { "TLS12", 2 }, { "TLS13", 3 }, { NULL, 0 },
};

static const struct word types[] = {
	{ "", NO_CLIENT_CERT },
	{ "NoClientCert", NO_CLIENT_CERT },
	{ "RequestClientCert", REQUEST_CLIENT_CERT },
	{ "RequireAnyClientCert", REQUIRE_ANY_CLIENT_CERT },
	{ "VerifyClientCertIfGiven", VERIFY_CLIENT_CERT_IF_GIVEN },
	{ "RequireAndVerifyClientCert", REQUIRE_AND_VERIFY_CLIENT_CERT },
	{ NULL, 0 },
};

static const struct word booleans[] = { { "true", 1 }, { "false", 0 }, { NULL, 0 } };

#define KEY(section, name, take, words) \
	{ section, #name, take, offsetof(struct web_config, name), words }
static const struct key keys[] = {
	KEY(TLS, cert_file, take_file, NULL),
	KEY(TLS, key_file, take_file, NULL),
	KEY(TLS, client_ca_file, take_file, NULL),
	KEY(TLS, client_auth_type, take_word, types),
	KEY(TLS, client_allowed_sans, take_names, NULL),
	KEY(TLS, min_version, take_word, versions),
	KEY(TLS, max_version, take_word, versions),
	KEY("http_server_config", http2, take_word, booleans),
	{ "basic_auth_users", NULL, take_user, 0, NULL },
};

/* @name: NULL for the first of the section. */
static const struct key *find_key(const char *section, const char *name)
{
	for (size_t i = 0; i < NR(keys); i++)
		if (!strcmp(keys[i].section, section) &&
		    (!name || !keys[i].name || !strcmp(keys[i].name, name)))
			return &keys[i];
	return NULL;
}

static bool has_key_before(const struct reader *reader, const yaml_node_t *mapping,
			   const yaml_node_pair_t *pair, const char *name)
{
	const yaml_node_pair_t *at = mapping->data.mapping.pairs.start;

	while (at < pair && strcmp(text_of(reader, node_at(reader, at->key)), name))
		at++;
	return at < pair;
}

/* @section: NULL for the whole document, whose keys are the sections. */
static bool take_mapping(struct reader *reader, const yaml_node_t *mapping, const char *section)
{
	const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
	const yaml_node_t *value;
	const struct key *key;
	const char *name;
	bool ok = true;

	if (is_null(mapping))
		return true;
	if (mapping->type != YAML_MAPPING_NODE)
		return bad(reader, mapping, "this is not a mapping");
	for (; ok && pair < mapping->data.mapping.pairs.top; pair++) {
		name = text_of(reader, node_at(reader, pair->key));
		value = node_at(reader, pair->value);
		if (!name)
			return false;
		key = find_key(section ? section : name, section ? name : NULL);
		if (!key || has_key_before(reader, mapping, pair, name))
			return bad(reader, node_at(reader, pair->key), "'%s' is %s", name,
				   key ? "a duplicate key" : "not supported here");
		if (!section)
			ok = take_mapping(reader, value, name);
		else if (!key->name || !is_null(value))	/* a user needs a hash */
			ok = key->take(reader, key, name, value);
		if (!section && !strcmp(name, TLS))
			reader->tls = value;
	}
	return ok;
}

static bool check_tls(const struct reader *reader)
{
	const struct web_config *config = reader->config;
	const yaml_node_t *tls = reader->tls;
	bool verifies = config->client_auth_type >= VERIFY_CLIENT_CERT_IF_GIVEN;

	if (!tls || is_null(tls) || tls->data.mapping.pairs.start == tls->data.mapping.pairs.top)
		return true;
	if (!config->cert_file || !config->key_file)
		return bad(reader, tls, TLS " needs cert_file and key_file");
	if (config->client_ca_file && config->client_auth_type == NO_CLIENT_CERT)
		return bad(reader, tls, "client_ca_file needs a client_auth_type");
	if (verifies && !config->client_ca_file)
		return bad(reader, tls, "this client_auth_type needs client_ca_file");
	if (config->client_allowed_sans && !verifies)
		return bad(reader, tls, "client_allowed_sans needs a type that verifies");
	if (config->min_version > config->max_version)
		return bad(reader, tls, "min_version is above max_version");
	return true;
}

static bool load(yaml_parser_t *parser, const struct reader *reader)
{
	if (yaml_parser_load(parser, reader->document))
		return true;
	if (parser->error == YAML_MEMORY_ERROR)
		out_of_memory();
	if (parser->error == YAML_READER_ERROR)
		return failure_set(reader->failure, ERR_BAD_VALUE, "%s: byte %zu: %s",
				   reader->file, parser->problem_offset + 1, parser->problem);
	return failure_set(reader->failure, ERR_BAD_VALUE, "%s:%zu: %s", reader->file,
			   parser->problem_mark.line + 1, parser->problem);
}

/* An empty file has a document without a root. */
static bool read_documents(struct reader *reader, yaml_parser_t *parser)
{
	const yaml_node_t *root;
	bool ok;

	if (!load(parser, reader))
		return false;
	root = yaml_document_get_root_node(reader->document);
	ok = !root || (take_mapping(reader, root, NULL) && check_tls(reader));
	yaml_document_delete(reader->document);
	if (!ok || !load(parser, reader))
		return false;
	root = yaml_document_get_root_node(reader->document);
	ok = !root || bad(reader, root, "this is a second document");
	yaml_document_delete(reader->document);
	return ok;
}

bool web_config_read(struct web_config *config, const char *file, struct failure *failure)
{
	yaml_document_t document;
	struct reader reader = { file, config, failure, &document, NULL };
	FILE *in = fopen(file, "re");
	yaml_parser_t parser;
	bool ok;

	*config = (struct web_config) { .min_version = 2, .max_version = 3 };
	if (!in)
		return failure_set(failure, ERR_CANNOT_READ, "cannot read %s: %s", file,
				   strerror(errno));
	if (!yaml_parser_initialize(&parser))
		out_of_memory();
	yaml_parser_set_input_file(&parser, in);
	ok = read_documents(&reader, &parser);
	yaml_parser_delete(&parser);
	fclose(in);
	return ok;
}

void web_config_free(struct web_config *config)
{
	for (size_t i = 0; i < config->nr_users; i++) {
		free(config->users[i].name);
		free(config->users[i].hash);
	}
	free(config->users);
	free_names(config->client_allowed_sans);
	free(config->cert_file);
	free(config->key_file);
	free(config->client_ca_file);
}
