/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for a terminal: what is escaped, what becomes ASCII, and how wide it is.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "text.h"

static void check(const char *text, unsigned flags, const char *expected)
{
	char *clean = text_clean(text, flags);

	assert_non_null(clean);
	assert_string_equal(clean, expected);
	free(clean);
}

static void controls_are_escaped(void **state)
{
	(void)state;
	check("a\033[2Jb", TEXT_UTF8, "a\\x1b[2Jb");
	check("a\nb\tc\rd", TEXT_UTF8, "a\\nb\\tc\\rd");
	check("a\nb\tc\rd", TEXT_UTF8 | TEXT_LINES, "a\nb\tc\\rd");
	check("\x7f", TEXT_UTF8, "\\x7f");
	check("\xc2\x9b"
	      "31m",
	      TEXT_UTF8, "\\xc2\\x9b31m"); /* C1: a terminal may take it for ESC [ */
	check("\u202egpj.exe", TEXT_UTF8, "\\xe2\\x80\\xaegpj.exe");
	check("\u2066", TEXT_UTF8, "\\xe2\\x81\\xa6");
}

static void what_is_not_utf8_is_escaped(void **state)
{
	(void)state;
	check("\xff\xfe", TEXT_UTF8, "\\xff\\xfe");
	check("\xc0\xaf", TEXT_UTF8, "\\xc0\\xaf");          /* overlong */
	check("\xed\xa0\x80", TEXT_UTF8, "\\xed\\xa0\\x80"); /* a surrogate */
	check("\xf4\x90\x80\x80", TEXT_UTF8, "\\xf4\\x90\\x80\\x80");
	check("caf\xc3", TEXT_UTF8, "caf\\xc3"); /* cut short */
	check("caf\xc3\xa9 \xf0\x9f\x90\xa7", TEXT_UTF8, "caf\xc3\xa9 \xf0\x9f\x90\xa7");
}

static void ascii_where_the_locale_has_nothing_else(void **state)
{
	(void)state;
	check("−0.27 % ±0.1 ≤3 µs ×2 … ∞", 0, "-0.27 % +-0.1 <=3 us x2 ... inf");
	check("café", 0, "caf\\xc3\\xa9");
	check("−±", TEXT_UTF8, "−±");
}

static void widths(void **state)
{
	(void)state;
	assert_int_equal(text_width("cycles"), 6);
	assert_int_equal(text_width("−0.27 %"), 7);
	assert_int_equal(text_width(""), 0);
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	assert_true(text_locale_is_utf8());
	assert_int_equal(text_width("日本"), 4);
	assert_int_equal(text_width("e\u0301"), 1);
	setlocale(LC_CTYPE, "C");
	assert_false(text_locale_is_utf8());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(controls_are_escaped),
	    cmocka_unit_test(what_is_not_utf8_is_escaped),
	    cmocka_unit_test(ascii_where_the_locale_has_nothing_else),
	    cmocka_unit_test(widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
