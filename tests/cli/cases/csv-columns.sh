# perf: columns move, <not supported> kills plots. Here: a header, as many fields in every line, one
# decimal point in every locale.
abstat stat -r 3 -x, -e task-clock,page-faults,cycles -- true >stat.csv
head -n 1 stat.csv
awk -F, '{ print NF }' stat.csv | sort -u
abstat compare -r 3 -x ';' -e task-clock,page-faults,cycles true true >compare.csv
head -n 1 compare.csv
awk -F';' '{ print NF }' compare.csv | sort -u
LC_ALL=de_DE.UTF-8 abstat stat -r 3 -x, -e task-clock -- true | awk -F, '{ print NF }' | sort -u
