# A pipeline needs --shell, and the message says so.
run abstat compare -r 2 'ls | cat' 'ls'
run abstat compare -r 2 'ls' 'ls > x'
abstat compare -r 2 -e task-clock --shell 'ls | cat' 'ls' | grep '^   [AB] = '
