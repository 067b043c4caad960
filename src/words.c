/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command line in one string: split into words as a POSIX shell would, and nothing else that a
 * shell does. What a shell would do more is an error, never a word that silently means something
 * different.
 */
#include "variant.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_MARK "{block}"
#define BLOCK_MARK_LEN (sizeof(BLOCK_MARK) - 1)

struct splitter {
	const char *text;
	const char *p;
	char **words;
	size_t n;
	char *word; /* being built; as long as the text at most */
	size_t len;
	bool in_word;
	bool bracket; /* the word has an unquoted [ */
	char *err;
	size_t err_size;
};

static int refuse(struct splitter *s, const char *what, const char *then)
{
	snprintf(s->err, s->err_size, "%s in '%s': %s", what, s->text, then);
	return -EINVAL;
}

static int refuse_char(struct splitter *s, char c, const char *where)
{
	char what[32];

	snprintf(what, sizeof(what), "%s '%c'", where, c);
	return refuse(s, what, "quote it, or use --shell to have the command run by sh");
}

static void add(struct splitter *s, char c)
{
	s->in_word = true;
	s->word[s->len++] = c;
}

static int end_word(struct splitter *s)
{
	char **grown;

	if (!s->in_word)
		return 0;
	grown = realloc(s->words, (s->n + 2) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	s->words = grown;
	s->words[s->n] = strndup(s->word, s->len);
	if (!s->words[s->n])
		return -ENOMEM;
	s->words[++s->n] = NULL;
	s->len = 0;
	s->in_word = false;
	s->bracket = false;
	return 0;
}

static int single_quoted(struct splitter *s)
{
	const char *end = strchr(s->p + 1, '\'');

	if (!end)
		return refuse(s, "unbalanced '", "a single quote is not closed");
	s->in_word = true;
	for (s->p++; s->p < end; s->p++)
		add(s, *s->p);
	s->p++;
	return 0;
}

static int double_quoted(struct splitter *s)
{
	s->in_word = true;
	for (s->p++; *s->p != '"'; s->p++) {
		if (*s->p == '\0')
			return refuse(s, "unbalanced \"", "a double quote is not closed");
		if (*s->p == '$' || *s->p == '`')
			return refuse_char(s, *s->p, "double-quoted");
		if (*s->p == '\\' && s->p[1] == '\n') {
			s->p++;
			continue;
		}
		if (*s->p == '\\' && s->p[1] && strchr("$`\"\\", s->p[1]))
			s->p++;
		add(s, *s->p);
	}
	s->p++;
	return 0;
}

static int escaped(struct splitter *s)
{
	if (s->p[1] == '\0')
		return refuse(s, "a backslash at the end", "nothing follows that it could quote");
	if (s->p[1] != '\n')
		add(s, s->p[1]);
	s->p += 2;
	return 0;
}

/* A ~ is expanded at the start of a word, and in an assignment after the = and after each colon. */
static bool tilde_expands(const struct splitter *s)
{
	if (!s->in_word)
		return true;
	return s->len > 0 && (s->word[s->len - 1] == '=' || s->word[s->len - 1] == ':') &&
	       s->n == 0 && memchr(s->word, '=', s->len);
}

static int plain(struct splitter *s)
{
	char c = *s->p;

	if (strchr("|><&;*?$`()", c))
		return refuse_char(s, c, "unquoted");
	if (c == '~' && tilde_expands(s))
		return refuse_char(s, c, "unquoted");
	if (c == '#' && !s->in_word)
		return refuse_char(s, c, "unquoted");
	/* A lone [ is a program, and [x without its ] is itself. */
	if (c == ']' && s->bracket)
		return refuse_char(s, '[', "unquoted");
	if (c == '[')
		s->bracket = true;
	add(s, c);
	s->p++;
	return 0;
}

/* A newline ends a command: more of it may only be blank. */
static int newline(struct splitter *s)
{
	bool blank_before = s->n == 0 && !s->in_word;
	bool blank_after = s->p[strspn(s->p, " \t\n")] == '\0';

	if (!blank_before && !blank_after)
		return refuse(s, "unquoted newline", "use --shell for more than one command");
	s->p++;
	return end_word(s);
}

static int split(struct splitter *s)
{
	while (*s->p) {
		int rc;

		switch (*s->p) {
		case ' ':
		case '\t':
			rc = end_word(s);
			s->p++;
			break;
		case '\n':
			rc = newline(s);
			break;
		case '\'':
			rc = single_quoted(s);
			break;
		case '"':
			rc = double_quoted(s);
			break;
		case '\\':
			rc = escaped(s);
			break;
		default:
			rc = plain(s);
		}
		if (rc)
			return rc;
	}
	return end_word(s);
}

char **words_split(const char *text, char *err, size_t err_size)
{
	struct splitter s = {.text = text, .p = text, .err = err, .err_size = err_size};
	int rc = -ENOMEM;

	s.word = malloc(strlen(text) + 1);
	s.words = calloc(1, sizeof(*s.words));
	if (s.word && s.words)
		rc = split(&s);
	if (rc == -ENOMEM)
		snprintf(err, err_size, "%s", strerror(ENOMEM));
	free(s.word);
	if (rc) {
		words_free(s.words);
		return NULL;
	}
	return s.words;
}

void words_free(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

static bool needs_quotes(const char *word)
{
	return !*word || word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_-./=:,+@%^{}")];
}

static void put_quoted(FILE *f, const char *word)
{
	fputc('\'', f);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", f);
		else
			fputc(*word, f);
	}
	fputc('\'', f);
}

char *words_join(char *const *words)
{
	char *out = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return NULL;
	for (size_t i = 0; words[i]; i++) {
		if (i)
			fputc(' ', f);
		if (needs_quotes(words[i]))
			put_quoted(f, words[i]);
		else
			fputs(words[i], f);
	}
	if (fclose(f)) {
		free(out);
		return NULL;
	}
	return out;
}

/* "${block}" is a shell's variable. */
static bool block_at(const char *text, const char *p)
{
	return !strncmp(p, BLOCK_MARK, BLOCK_MARK_LEN) && (p == text || p[-1] != '$');
}

char *block_expand(const char *text, uint64_t seed)
{
	char digits[24];
	size_t n = 0, digits_len;
	char *out, *to;

	snprintf(digits, sizeof(digits), "%" PRIu64, seed);
	digits_len = strlen(digits);
	for (const char *p = text; *p; p++)
		n += block_at(text, p);
	out = malloc(strlen(text) + n * digits_len + 1);
	if (!out)
		return NULL;
	to = out;
	for (const char *p = text; *p;) {
		if (!block_at(text, p)) {
			*to++ = *p++;
			continue;
		}
		memcpy(to, digits, digits_len);
		to += digits_len;
		p += BLOCK_MARK_LEN;
	}
	*to = '\0';
	return out;
}
