/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about scopes: calls without a cost, calls that are shorter than what measures them. */
#ifndef ABSTAT_ANALYSE_SCOPE_WARN_H
#define ABSTAT_ANALYSE_SCOPE_WARN_H

struct report;

/* 0 or -ENOMEM. */
int warn_of_scopes(struct report *report);

#endif
