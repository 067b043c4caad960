# Numbers are the same in every locale; without UTF-8 everything is ASCII.
LC_ALL=C abstat compare -r 6 -e task-clock true 'sh -c :' | LC_ALL=C grep -c "$(printf '[\200-\377]')"
LC_ALL=C.UTF-8 abstat compare -r 6 -e task-clock true 'sh -c :' | LC_ALL=C grep -c "$(printf '\342\210\222\|\302\261')" | sed 's/[1-9][0-9]*/some/'
