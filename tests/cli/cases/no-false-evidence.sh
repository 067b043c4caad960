# The same runs twice are no more evidence, also as a copy.
abstat stat -r 3 --null --save=one -- true >/dev/null
cp one copy
run abstat diff --before one one --after copy
run abstat diff --before one copy --after copy
# Where both sides are only known to be small, nothing is known of their difference.
abstat compare -r 10 -q -e max_rss --save=small true 'true x' >/dev/null
sed -i -e 's/,"max_rss_at_most":true//' -e 's/"outcome":"ok"/&,"max_rss_at_most":true/' small
abstat report -j small | field verdict '"name":"max_rss"' '"primary":true'
abstat report -j small | field reason '"name":"max_rss"' '"primary":true'
abstat report --gate small >/dev/null
echo "status $?"
