/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of hosts whose results are compared: which of them differ. */
#ifndef ABSTAT_HOSTS_H
#define ABSTAT_HOSTS_H

#include "report.h"

/*
 * Lists in REPORT in what the hosts of its records differ from that of the first: another CPU,
 * another setting is a warning, another kernel is what was to be compared, most often, and a note
 * in FIRST (the report's first record). 0 or -ENOMEM.
 */
int hosts_compare(struct report *report, struct record *first);

#endif
