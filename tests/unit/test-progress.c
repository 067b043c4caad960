/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress line, on a pseudo-terminal: when it is written, what it says, that it is erased. */
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <cmocka.h>

#include "progress.h"

struct terminal {
	int master;
	FILE *out;
};

static void terminal_open(struct terminal *t, unsigned short columns)
{
	struct winsize size = {.ws_col = columns, .ws_row = 24};
	char name[64];

	t->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(t->master >= 0);
	assert_int_equal(grantpt(t->master), 0);
	assert_int_equal(unlockpt(t->master), 0);
	assert_int_equal(ptsname_r(t->master, name, sizeof(name)), 0);
	t->out = fopen(name, "w");
	assert_non_null(t->out);
	assert_int_equal(ioctl(t->master, TIOCSWINSZ, &size), 0);
}

/* What the terminal got since the last time. */
static const char *terminal_read(struct terminal *t)
{
	static char buf[4096];
	ssize_t n = read(t->master, buf, sizeof(buf) - 1);

	buf[n < 0 ? 0 : n] = '\0';
	return buf;
}

static void terminal_close(struct terminal *t)
{
	fclose(t->out);
	close(t->master);
}

static const struct progress_state comparing = {
    .variants = 2,
    .block = 12,
    .blocks = 1000,
    .at_most = true,
    .seconds_left = 70 * 60,
    .metric = "cycles\033[2J:u",
    .change = {false, "", -0.004, -0.019, 0.011},
    .spread = NAN,
};

static void it_says_where_things_are(void **state)
{
	struct terminal t;
	struct progress p;

	(void)state;
	setenv("TERM", "xterm", 1);
	terminal_open(&t, 200);
	progress_init(&p, t.out, true);
	assert_true(progress_due(&p));
	progress_draw(&p, &comparing);
	assert_string_equal(terminal_read(&t),
			    "\r\033[Kblock 12 of at most 1,000, at most about 70 min left, "
			    "cycles\\x1b[2J:u −0.4 % [−1.9, +1.1] %");
	/* Not again at once, and the line goes before anything else is printed. */
	assert_false(progress_due(&p));
	progress_erase(&p);
	assert_string_equal(terminal_read(&t), "\r\033[K");
	progress_erase(&p);
	assert_string_equal(terminal_read(&t), "");
	terminal_close(&t);
}

static void one_command_has_runs(void **state)
{
	const struct progress_state s = {
	    .variants = 1,
	    .block = 3,
	    .blocks = 10,
	    .seconds_left = NAN,
	    .metric = "cycles",
	    .spread = 0.21,
	    .change = {.estimate = NAN},
	};
	struct progress_state warm = s;
	struct terminal t;
	struct progress p;

	(void)state;
	warm.warmup = true;
	warm.metric = NULL;
	setenv("TERM", "xterm", 1);
	terminal_open(&t, 80);
	progress_init(&p, t.out, true);
	progress_draw(&p, &s);
	assert_string_equal(terminal_read(&t), "\r\033[Krun 3 of 10, cycles ±0.21%");
	progress_draw(&p, &warm);
	assert_string_equal(terminal_read(&t), "\r\033[Kwarm-up run 3 of 10");
	terminal_close(&t);
}

static void it_fits_in_one_line(void **state)
{
	struct terminal t;
	struct progress p;

	(void)state;
	setenv("TERM", "xterm", 1);
	terminal_open(&t, 20);
	progress_init(&p, t.out, true);
	progress_draw(&p, &comparing);
	assert_string_equal(terminal_read(&t), "\r\033[Kblock 12 of at most");
	terminal_close(&t);
}

static void it_is_silent_elsewhere(void **state)
{
	struct terminal t;
	struct progress p;
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	setenv("TERM", "xterm", 1);
	progress_init(&p, file, true);
	assert_false(progress_due(&p));
	progress_draw(&p, &comparing);
	progress_erase(&p);
	assert_int_equal(ftell(file), 0);
	fclose(file);

	terminal_open(&t, 80);
	progress_init(&p, t.out, false);
	assert_false(progress_due(&p));
	setenv("TERM", "dumb", 1);
	progress_init(&p, t.out, true);
	assert_false(progress_due(&p));
	unsetenv("TERM");
	progress_init(&p, t.out, true);
	assert_false(progress_due(&p));
	progress_draw(&p, &comparing);
	assert_string_equal(terminal_read(&t), "");
	terminal_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_says_where_things_are),
	    cmocka_unit_test(one_command_has_runs),
	    cmocka_unit_test(it_fits_in_one_line),
	    cmocka_unit_test(it_is_silent_elsewhere),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
