/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mangled names: those of C++ by the compiler's own library, where abstat is linked with it; Rust's
 * older ones are such names, too.
 */
#include "demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CXX_DEMANGLE
/* Of libsupc++: calls WRITE with pieces of the text. 0: done. */
extern int __gcclibcxx_demangle_callback(const char *name,
					 void (*write)(const char *text, size_t n, void *context),
					 void *context);

struct output {
	char text[DEMANGLED_LONGEST];
	size_t n;
	jmp_buf full;
};

/* A short name can stand for an endless text. There is nothing to free where it is written. */
static void write_text(const char *text, size_t n, void *context)
{
	struct output *o = context;

	if (n >= sizeof(o->text) - o->n)
		longjmp(o->full, 1);
	memcpy(o->text + o->n, text, n);
	o->n += n;
}

static char *demangle_cxx(const char *name)
{
	struct output *o = malloc(sizeof(*o));
	char *text = NULL;

	if (!o)
		return NULL;
	o->n = 0;
	if (!setjmp(o->full) && !__gcclibcxx_demangle_callback(name, write_text, o))
		text = strndup(o->text, o->n);
	free(o);
	return text;
}

bool demangle_knows_cxx(void)
{
	return true;
}
#else
static char *demangle_cxx(const char *name)
{
	(void)name;
	return NULL;
}

bool demangle_knows_cxx(void)
{
	return false;
}
#endif

/* "::h" and sixteen hexadecimal digits: the hash that ends an older name of Rust. */
static bool has_rust_hash(const char *text, size_t n)
{
	if (n < 20 || memcmp(text + n - 19, "::h", 3) != 0)
		return false;
	for (size_t i = n - 16; i < n; i++)
		if (!isxdigit((unsigned char)text[i]) || isupper((unsigned char)text[i]))
			return false;
	return true;
}

/* What stands for a sign: "$LT$"; its length, or 0. */
static size_t rust_sign(const char *text, char *sign)
{
	static const struct {
		const char *text;
		char sign;
	} signs[] = {{"$SP$", '@'}, {"$BP$", '*'}, {"$RF$", '&'}, {"$LT$", '<'},
		     {"$GT$", '>'}, {"$LP$", '('}, {"$RP$", ')'}, {"$C$", ','}};
	char *end;

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (!strncmp(text, signs[i].text, strlen(signs[i].text))) {
			*sign = signs[i].sign;
			return strlen(signs[i].text);
		}
	if (strncmp(text, "$u", 2) != 0 || !isxdigit((unsigned char)text[2]))
		return 0;
	unsigned long code = strtoul(text + 2, &end, 16);

	*sign = (char)code;
	return *end == '$' && code >= 32 && code < 127 ? (size_t)(end + 1 - text) : 0;
}

/* Older Rust: "_$LT$a..B$u20$as$u20$C$GT$::f::h0123456789abcdef" is "<a::B as C>::f". */
static void tidy_rust(char *text)
{
	size_t n = strlen(text), to = 0;

	if (!has_rust_hash(text, n))
		return;
	text[n - 19] = '\0';
	for (size_t at = 0; text[at];) {
		bool first = !at || (at > 1 && text[at - 1] == ':');
		char sign;
		size_t len = rust_sign(text + at, &sign);

		if (len) {
			text[to++] = sign;
			at += len;
		} else if (first && text[at] == '_' && text[at + 1] == '$') {
			at++;
		} else if (text[at] == '.' && text[at + 1] == '.') {
			text[to++] = ':';
			text[to++] = ':';
			at += 2;
		} else {
			text[to++] = text[at++];
		}
	}
	text[to] = '\0';
}

char *demangle(const char *name, size_t name_length)
{
	char *copy, *text = NULL;

	if (name_length < 3 || name_length >= DEMANGLED_LONGEST || name[0] != '_' ||
	    (name[1] != 'Z' && name[1] != 'R'))
		return NULL;
	copy = strndup(name, name_length);
	if (copy)
		text = name[1] == 'Z' ? demangle_cxx(copy) : demangle_rust(copy);
	free(copy);
	if (text && name[1] == 'Z')
		tidy_rust(text);
	return text;
}

/* True if the word before AT is "operator". */
static bool is_after_operator(const char *text, const char *at)
{
	static const char word[] = "operator";
	size_t n = sizeof(word) - 1;

	return (size_t)(at - text) >= n && !memcmp(at - n, word, n) &&
	       ((size_t)(at - text) == n || !isalnum((unsigned char)at[-(ptrdiff_t)n - 1]));
}

/* The same with signs in between, of which the one at AT is a part: "operator<<". */
static bool is_of_operator(const char *text, const char *at)
{
	while (at > text && strchr("<>=-", at[-1]))
		at--;
	return is_after_operator(text, at);
}

size_t demangled_base(const char *demangled)
{
	static const char anonymous[] = "(anonymous namespace)";
	int depth = 0;

	for (const char *s = demangled; *s; s++) {
		if (strchr("<>-=", *s) && is_of_operator(demangled, s))
			continue;
		if (*s == '<' || *s == '{' || *s == '[')
			depth++;
		else if (*s == '>' || *s == '}' || *s == ']')
			depth--;
		else if (!strncmp(s, anonymous, sizeof(anonymous) - 1))
			s += sizeof(anonymous) - 2;
		else if (*s == '(' && s[1] == ')' && is_after_operator(demangled, s))
			s++;
		else if (*s == '(' && depth <= 0)
			return (size_t)(s - demangled);
	}
	return strlen(demangled);
}

size_t demangled_template(const char *name, size_t n)
{
	size_t end = n;
	int depth = 0;

	if (!n || name[n - 1] != '>' || is_of_operator(name, name + n - 1))
		return n;
	do {
		end--;
		depth += (name[end] == '>') - (name[end] == '<');
	} while (end && depth);
	return end;
}
