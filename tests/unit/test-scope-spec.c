/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Specifications of scopes taken apart, and every refusal with its message.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scope-target.h"

struct wanted {
	const char *name, *text;
	enum scope_kind kind;
	const char *binary, *symbol;
	uint64_t from, to;
	const char *begin, *end;
};

static const struct {
	const char *text;
	struct wanted spec;
} good[] = {
    {"main", {"main", "main", SCOPE_FUNCTION, .symbol = "main"}},
    {"m=main", {"m", "main", SCOPE_FUNCTION, .symbol = "main"}},
    {"_x.y-1=main", {"_x.y-1", "main", SCOPE_FUNCTION, .symbol = "main"}},
    {"libc.so.6:malloc",
     {"malloc", "libc.so.6:malloc", SCOPE_FUNCTION, "libc.so.6", .symbol = "malloc"}},
    {"m=/lib/libc.so.6:malloc",
     {"m", "/lib/libc.so.6:malloc", SCOPE_FUNCTION, "/lib/libc.so.6", .symbol = "malloc"}},
    {"./a:b:f", {"f", "./a:b:f", SCOPE_FUNCTION, "./a:b", .symbol = "f"}},
    {"/a:b/c:ns::f(A::B)",
     {"ns::f(A::B)", "/a:b/c:ns::f(A::B)", SCOPE_FUNCTION, "/a:b/c", .symbol = "ns::f(A::B)"}},
    {"../a=b:f", {"f", "../a=b:f", SCOPE_FUNCTION, "../a=b", .symbol = "f"}},
    {"memcpy@GLIBC_2.14",
     {"memcpy@GLIBC_2.14", "memcpy@GLIBC_2.14", SCOPE_FUNCTION, .symbol = "memcpy@GLIBC_2.14"}},
    {"f@@V_1..2", {"f@@V_1..2", "f@@V_1..2", SCOPE_FUNCTION, .symbol = "f@@V_1..2"}},
    {"compare@sort.c",
     {"compare@sort.c", "compare@sort.c", SCOPE_FUNCTION, .symbol = "compare@sort.c"}},
    {"compare@src/sort.c",
     {"compare@src_sort.c", "compare@src/sort.c", SCOPE_FUNCTION, .symbol = "compare@src/sort.c"}},
    {"ns::Class::f", {"ns::Class::f", "ns::Class::f", SCOPE_FUNCTION, .symbol = "ns::Class::f"}},
    {"k::f", {"k::f", "k::f", SCOPE_FUNCTION, .symbol = "k::f"}},
    {"liba.so:ns::f(std::vector<int, A::B> const&)",
     {"ns::f(std::vector<int, A::B> const&)", "liba.so:ns::f(std::vector<int, A::B> const&)",
      SCOPE_FUNCTION, "liba.so", .symbol = "ns::f(std::vector<int, A::B> const&)"}},
    {"operator==(A, B)",
     {"operator==(A, B)", "operator==(A, B)", SCOPE_FUNCTION, .symbol = "operator==(A, B)"}},
    {"eq=operator==(A, B)",
     {"eq", "operator==(A, B)", SCOPE_FUNCTION, .symbol = "operator==(A, B)"}},
    {"operator-=", {"operator-=", "operator-=", SCOPE_FUNCTION, .symbol = "operator-="}},
    {"A::operator=(A const&)",
     {"A::operator=(A const&)", "A::operator=(A const&)", SCOPE_FUNCTION,
      .symbol = "A::operator=(A const&)"}},
    {"operator/(A, B)",
     {"operator_(A, B)", "operator/(A, B)", SCOPE_FUNCTION, .symbol = "operator/(A, B)"}},
    {"div=a.so:A::operator/",
     {"div", "a.so:A::operator/", SCOPE_FUNCTION, "a.so", .symbol = "A::operator/"}},
    {"operator<", {"operator<", "operator<", SCOPE_FUNCTION, .symbol = "operator<"}},
    {"operators=f", {"operators", "f", SCOPE_FUNCTION, .symbol = "f"}},
    {"<A as B<Item = u8>>::next",
     {"<A as B<Item = u8>>::next", "<A as B<Item = u8>>::next", SCOPE_FUNCTION,
      .symbol = "<A as B<Item = u8>>::next"}},
    {"f(char const*, ...)",
     {"f(char const*, ...)", "f(char const*, ...)", SCOPE_FUNCTION,
      .symbol = "f(char const*, ...)"}},
    {"f+0x10..f+0x40",
     {"f+0x10..+0x40", "f+0x10..f+0x40", SCOPE_RANGE, .symbol = "f", .from = 16, .to = 64}},
    {"f+16..+64", {"f+0x10..+0x40", "f+16..+64", SCOPE_RANGE, .symbol = "f", .from = 16, .to = 64}},
    {"f..f+0x40", {"f+0x0..+0x40", "f..f+0x40", SCOPE_RANGE, .symbol = "f", .from = 0, .to = 64}},
    {"loop=../x:A::operator++(int)+0x8..A::operator++(int)+0x4",
     {"loop", "../x:A::operator++(int)+0x8..A::operator++(int)+0x4", SCOPE_RANGE, "../x",
      .symbol = "A::operator++(int)", .from = 8, .to = 4}},
    {"f(...)+1..f(...)+2",
     {"f(...)+0x1..+0x2", "f(...)+1..f(...)+2", SCOPE_RANGE, .symbol = "f(...)", .from = 1,
      .to = 2}},
    {"k:vfs_read", {"k:vfs_read", "k:vfs_read", SCOPE_KERNEL, .symbol = "vfs_read"}},
    {"r=k:f.isra.0", {"r", "k:f.isra.0", SCOPE_KERNEL, .symbol = "f.isra.0"}},
    {"./k:f", {"f", "./k:f", SCOPE_FUNCTION, "./k", .symbol = "f"}},
    {"usdt:p:a..p:b", {"p:a..p:b", "usdt:p:a..p:b", SCOPE_MARKERS, .begin = "p:a", .end = "p:b"}},
    {"t=usdt:p:a..b", {"t", "usdt:p:a..b", SCOPE_MARKERS, .begin = "p:a", .end = "p:b"}},
    {"usdt:../lib.so:p:a..q:b",
     {"p:a..q:b", "usdt:../lib.so:p:a..q:b", SCOPE_MARKERS, "../lib.so", .begin = "p:a",
      .end = "q:b"}},
    {"region:parse", {"parse", "region:parse", SCOPE_REGION, .symbol = "parse"}},
    {"p=region:parse", {"p", "region:parse", SCOPE_REGION, .symbol = "parse"}},
};

static void same(const char *a, const char *b)
{
	assert_int_equal(!a, !b);
	if (a)
		assert_string_equal(a, b);
}

static void takes_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		const struct wanted *want = &good[i].spec;
		struct scope_spec spec;
		char err[512] = "";

		if (scope_spec_parse(&spec, good[i].text, err, sizeof(err)))
			fail_msg("%s: %s", good[i].text, err);
		same(spec.name, want->name);
		same(spec.text, want->text);
		assert_int_equal(spec.kind, want->kind);
		same(spec.binary, want->binary);
		same(spec.symbol, want->symbol);
		assert_int_equal(spec.from, want->from);
		assert_int_equal(spec.to, want->to);
		same(spec.begin, want->begin);
		same(spec.end, want->end);
		assert_null(strchr(spec.name, '/'));
		scope_spec_release(&spec);
	}
}

static const struct {
	const char *text, *message;
} bad[] = {
    {"", "'': the scope is missing: a scope is FUNC, BINARY:FUNC, FUNC+0x10..FUNC+0x40, k:FUNC, "
	 "usdt:PROVIDER:BEGIN..PROVIDER:END or region:NAME"},
    {"a=", "'a=': the scope is missing: a scope is FUNC, BINARY:FUNC, FUNC+0x10..FUNC+0x40, "
	   "k:FUNC, usdt:PROVIDER:BEGIN..PROVIDER:END or region:NAME"},
    {"=f", "'=f': the name before '=' is missing: write NAME=SPEC, or SPEC alone"},
    {"a/b=f", "'a/b=f': 'a/b' cannot be a scope's name: a letter or '_', then letters, digits, "
	      "'_', '.' and '-'"},
    {"1=f", "'1=f': '1' cannot be a scope's name: a letter or '_', then letters, digits, '_', "
	    "'.' and '-'"},
    {"rest=f", "'rest=f': 'rest' has a meaning of its own in abstat's output: choose another name"},
    {"probed=f",
     "'probed=f': 'probed' has a meaning of its own in abstat's output: choose another name"},
    {":f", "':f': the file before ':' is missing: write BINARY:FUNC, or FUNC alone"},
    {"a:", "'a:': the function is missing: a scope is FUNC, BINARY:FUNC, FUNC+0x10..FUNC+0x40, "
	   "k:FUNC, usdt:PROVIDER:BEGIN..PROVIDER:END or region:NAME"},
    {"f+0x10", "'f+0x10': one place is no scope: write where it begins and where it ends, as in "
	       "f+0x10..f+0x40"},
    {"f+0x10..f", "'f+0x10..f': the end of the range has no offset: write FUNC+0x10..FUNC+0x40"},
    {"f+0x10..g+0x40", "'f+0x10..g+0x40': both ends of a range must be in the same function: "
		       "write f+0x10..f+0x40"},
    {"f+16..f+0x10", "'f+16..f+0x10': the range ends where it begins: there is nothing in it"},
    {"+1..+2", "'+1..+2': the function is missing before the '+': write FUNC+0x10..FUNC+0x40"},
    {"k:", "'k:': the kernel function is missing: write k:FUNC, as in k:vfs_read"},
    {"k:f+0x10..f+0x20",
     "'k:f+0x10..f+0x20': 'f+0x10..f+0x20' cannot be a kernel function: write k:FUNC, as in "
     "k:vfs_read; it is measured from its entry to its return"},
    {"usdt:p:a", "'usdt:p:a': a scope has a marker where it begins and one where it ends: write "
		 "usdt:PROVIDER:BEGIN..PROVIDER:END, as 'abstat list --scopes BINARY' shows them"},
    {"usdt:p:a..", "'usdt:p:a..': a scope has a marker where it begins and one where it ends: "
		   "write usdt:PROVIDER:BEGIN..PROVIDER:END, as 'abstat list --scopes BINARY' "
		   "shows them"},
    {"usdt:a..b", "'usdt:a..b': the first marker has no provider or no name: write "
		  "usdt:PROVIDER:BEGIN..PROVIDER:END, as 'abstat list --scopes BINARY' shows them"},
    {"usdt:x::a..b", "'usdt:x::a..b': the first marker has no provider: write "
		     "usdt:PROVIDER:BEGIN..PROVIDER:END, as 'abstat list --scopes BINARY' shows "
		     "them"},
    {"usdt:p:a..p:q:b", "'usdt:p:a..p:q:b': the second marker has no provider or no name: write "
			"usdt:PROVIDER:BEGIN..PROVIDER:END, as 'abstat list --scopes BINARY' "
			"shows them"},
    {"usdt:p:a..p:a", "'usdt:p:a..p:a': it ends at the marker where it begins: write "
		      "usdt:PROVIDER:BEGIN..PROVIDER:END, as 'abstat list --scopes BINARY' shows "
		      "them"},
    {"region:", "'region:': '' cannot be a region's name: write region:NAME, with the NAME that "
		"ABSTAT_REGION_BEGIN(NAME) has in the source"},
    {"region:a b", "'region:a b': 'a b' cannot be a region's name: write region:NAME, with the "
		   "NAME that ABSTAT_REGION_BEGIN(NAME) has in the source"},
};

static void refuses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct scope_spec spec;
		char err[512] = "";

		if (scope_spec_parse(&spec, bad[i].text, err, sizeof(err)) != -EINVAL)
			fail_msg("'%s' is taken", bad[i].text);
		assert_string_equal(err, bad[i].message);
		assert_null(spec.name);
	}
}

/* Whatever is cut off or put in, there is a name or a message. */
static void survives(void **state)
{
	static const char signs[] = "=:+./<>()k";

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		char text[128], err[512];
		size_t len = strlen(good[i].text);

		for (size_t at = 0; at <= len; at++)
			for (size_t s = 0; s < sizeof(signs); s++) {
				struct scope_spec spec;

				memcpy(text, good[i].text, len + 1);
				text[at] = signs[s];
				text[len + 1] = '\0';
				*err = '\0';
				if (scope_spec_parse(&spec, text, err, sizeof(err)))
					assert_true(*err);
				else
					assert_true(*spec.name && !strchr(spec.name, '/'));
				scope_spec_release(&spec);
			}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(takes_apart),
	    cmocka_unit_test(refuses),
	    cmocka_unit_test(survives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
