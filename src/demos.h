/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The field's own experiments: what each compares, and with which options it is best compared.
 */
#ifndef ABSTAT_DEMOS_H
#define ABSTAT_DEMOS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	DEMO_STEPS = 3,
	DEMO_VARIANTS = 5,
	DEMO_ARGUMENTS = 5,
	DEMO_OPTIONS = 5,
	DEMO_SCOPES = 2,
};

/* What decides. */
enum demo_primary {
	DEMO_USER,    /* the processor's work in user mode: cycles:u, else the CPU time */
	DEMO_ALL,     /* the same with the kernel's: cycles, else the CPU time */
	DEMO_ELAPSED, /* how long it takes */
	DEMO_OWN,     /* a metric that the program prints, which the options define and name */
};

/* An argument of the programs, "--NAME=VALUE". */
struct demo_argument {
	const char *name;
	long value;
	bool scales; /* multiplied by --scale */
};

struct demo_variant {
	const char *name; /* --name */
	const char
	    *program; /* one of the installed workloads; with a '/' before it: one in the PATH */
	const char *arguments; /* its own, before those of the step; NULL: none */
};

/* One comparison. */
struct demo_step {
	const char *title; /* NULL: the demo's question is all */
	enum demo_primary primary;
	bool one_cpu;                          /* --cpus with the first CPU that there is */
	const char *options[DEMO_OPTIONS + 1]; /* further ones, NULL-terminated */
	struct demo_argument arguments[DEMO_ARGUMENTS + 1]; /* up to one without a name */
	struct demo_variant variants[DEMO_VARIANTS + 1];    /* up to one without a name */
	const char *scopes[DEMO_SCOPES + 1]; /* --scope; who may not probe is told instead */
	const char *needs;                   /* a program that is needed in the PATH, NULL: none */
	const char *without;                 /* what is said where it is not there */
};

/* All texts are paragraphs without newlines. */
struct demo {
	const char *name;
	const char *summary;  /* one line */
	const char *question; /* the argument that it is to settle */
	const char *shows;    /* how to read what comes out */
	struct demo_step steps[DEMO_STEPS + 1]; /* up to one without variants */
};

extern const struct demo demos[]; /* up to one without a name */

/* The experiment NAME, or NULL. */
const struct demo *demo_find(const char *name);

#endif
