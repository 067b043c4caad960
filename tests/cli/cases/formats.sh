# The same report in every format.
abstat stat -r 2 -e task-clock --format=text -- true | head -n 3
abstat stat -r 2 -e task-clock --format=json -- true | head -n 1 | sed 's/"abstat":"[^"]*"/"abstat":"VERSION"/'
abstat stat -r 2 -e task-clock --format=csv -- true | head -n 1
abstat stat -r 2 -e task-clock --format=markdown -- true | head -n 4
