# Instructions or CPU time as the metric that decides.
abstat compare -r 6 -j --primary=user_time true true | grep '"primary":true' | field name
abstat compare -r 6 -j -e page-faults,task-clock true true | grep '"primary":true' | field name
abstat compare -r 6 -j true true | grep '"primary":true' | field name
