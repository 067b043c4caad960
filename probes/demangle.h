/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of C++ and Rust as their programmers write them.
 */
#ifndef ABSTAT_DEMANGLE_H
#define ABSTAT_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * NAME, NAME_LENGTH bytes of it, as in the source, with parameters; Rust's without the hash of
 * its crate. The caller frees it. NULL: it is not mangled, or not known how, or longer than
 * DEMANGLED_LONGEST.
 */
char *demangle(const char *name, size_t name_length);

enum { DEMANGLED_LONGEST = 4096 };

/* Whether names of C++ (and of older Rust) can be read: this depends on how abstat was built. */
bool demangle_knows_cxx(void);

/* The length of DEMANGLED without its parameters: "a::b" of "a::b(int) const". */
size_t demangled_base(const char *demangled);

/* The length of NAME, N bytes, without the template's arguments at its end: "a::f" of "a::f<int>".
 */
size_t demangled_template(const char *name, size_t n);

/* For its parts: NAME begins with _R. */
char *demangle_rust(const char *name);

#endif
