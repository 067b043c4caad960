/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose.h - five signs that the runs are not what the tests assume.
 *
 * They are warnings: none changes a verdict, and no value is ever left out because of them. Each
 * is set so that it speaks on clean data in at most 1 % of experiments.
 */
#ifndef ABSTAT_STATS_DIAGNOSE_H
#define ABSTAT_STATS_DIAGNOSE_H

#include <stdbool.h>
#include <stddef.h>

#define DIAGNOSE_AUTOCORRELATION_Z (-2.326) /* rank von Neumann below it */
#define DIAGNOSE_DRIFT_P 0.01               /* Mann-Kendall below it */
#define DIAGNOSE_WARMUP_Z 3.5               /* modified z of the first run above it */
#define DIAGNOSE_OUTLIER_Z 5.0              /* modified z above it */
#define DIAGNOSE_MODES_ETA2 0.85            /* share of the variance between two parts */
#define DIAGNOSE_MODES_SHARE 0.15           /* least share of the runs in each part */

/* An excess of less than this fraction of the median concerns nobody, whatever its z is. */
#define DIAGNOSE_RELATIVE_FLOOR 0.001

enum {
	DIAGNOSE_SEQUENCE_LEAST = 10, /* runs for autocorrelation and drift */
	DIAGNOSE_MODES_LEAST = 20,    /* runs for two modes */
	DIAGNOSE_DISTINCT_LEAST = 6,  /* distinct values for modified z and modes */
};

/*
 * Modified z = (x - median) / (1.4826 MAD) (Iglewicz and Hoaglin, 1993). Not tested: too few
 * runs, too few distinct values, or MAD = 0.
 */
struct sequence_diagnosis {
	bool order_tested;
	bool autocorrelated; /* neighbouring runs are alike: fewer independent runs than it seems */
	bool drifting;       /* the runs rise or fall over the experiment, or there is a step */
	double rvn_z;
	double drift_z, drift_p; /* drift_z > 0: later runs are larger */
	bool warmup_tested;
	bool warmup; /* the first run is the largest by far */
	double first_z;
};

/*
 * The runs of all variants in the order in which they were made, the median of its group taken
 * from each. group[i] < groups. Allocates 24 n bytes and what trend.h does.
 * -EDOM for n = 0, -EINVAL, -ENOMEM.
 */
int diagnose_sequence(struct sequence_diagnosis *d, const double *x, const size_t *group, size_t n,
		      size_t groups);

struct sample_diagnosis {
	bool outliers_tested;
	size_t outliers; /* far above the median; slow runs, mostly */
	double largest_z;
	bool modes_tested;
	bool two_modes;
	double eta2;           /* of the best split */
	double mode_low;       /* mean of the lower part */
	double mode_high;      /* mean of the upper part */
	double mode_low_share; /* share of the runs in the lower part */
};

/* The runs of one variant. Allocates 16 n bytes. -EDOM for n = 0, -EINVAL, -ENOMEM. */
int diagnose_sample(struct sample_diagnosis *d, const double *x, size_t n);

#endif
