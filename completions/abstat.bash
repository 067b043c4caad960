# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of abstat for bash. An option that takes a value ends in "=".

_abstat_events='-e --event= -d --detailed -n --null --metric= --extract= --multiplex
	-a --all-cpus -C --cpu= -A --no-aggr'
_abstat_scope='--scope= --probed-only'
_abstat_plan='-r --repeat= --runs= --min-runs= --max-runs= --max-time= --precision= --warmup= --seed='
_abstat_run='-L --parameter-list= --name= --shell --setup= --prepare= --pre= --conclude= --post=
	--cleanup= --run-timeout= --stragglers= --stdin= --stdout= --cwd= --env= --cpus= --layout=
	--ok-status= --ignore-failure'
_abstat_primary='--primary= --higher-is-better= --lower-is-better='
_abstat_judge='--margin= --alpha= --gate --unclear-status= --baseline= --pairs= --fdr'
_abstat_save='--save= --force --resume='
_abstat_output='-j --json -x --field-separator= --format= -o --output= --color= -v --verbose
	-q --quiet'
_abstat_help='-? --help --usage -V --version'

_abstat_source='--metric= --column= --runs= --summary='
_abstat_page='-j --json -o --output='
_abstat_list='--scopes= -j --json -x --field-separator= -o --output='

_abstat_commands='stat compare diff elf report plan calibrate demo list'

# The options of a command, one a word.
_abstat_options()
{
	case $1 in
	stat)
		printf "%s " $_abstat_events $_abstat_scope $_abstat_plan $_abstat_run $_abstat_primary \
			$_abstat_save $_abstat_output $_abstat_help
		;;
	compare)
		printf "%s " --no-evidence $_abstat_events $_abstat_scope $_abstat_plan $_abstat_run \
			$_abstat_primary $_abstat_judge \
			$_abstat_save $_abstat_output $_abstat_help
		;;
	demo) printf "%s " -s --scale= -p --print $_abstat_help ;;
	elf) printf "%s " --compressed --function= $_abstat_output $_abstat_help ;;
	diff)
		printf "%s " --before= --after= $_abstat_source $_abstat_primary $_abstat_judge \
			$_abstat_output $_abstat_help
		;;
	report)
		printf "%s " $_abstat_source $_abstat_primary $_abstat_judge $_abstat_output \
			$_abstat_help
		;;
	plan)
		printf "%s " --effect= --primary= --alpha= --runs= --column= $_abstat_page \
			$_abstat_help
		;;
	calibrate)
		printf "%s " $_abstat_events $_abstat_plan $_abstat_run $_abstat_save --primary= \
			--alpha= -q --quiet $_abstat_page $_abstat_help
		;;
	list) printf "%s " $_abstat_list $_abstat_help ;;
	esac
}

# The values of an option: words, or files and commands where they are such.
_abstat_values()
{
	case $1 in
	-e | --event | --primary | --higher-is-better | --lower-is-better)
		local prefix=${cur%"${cur##*,}"}
		COMPREPLY=($(compgen -P "$prefix" -W '$(_abstat_event_names)' -- "${cur##*,}"))
		;;
	--stragglers) COMPREPLY=($(compgen -W 'kill wait error' -- "$cur")) ;;
	--stdout) COMPREPLY=($(compgen -W 'null pipe inherit' -f -- "$cur")) ;;
	--layout) COMPREPLY=($(compgen -W 'aslr block' -- "$cur")) ;;
	--format) COMPREPLY=($(compgen -W 'text json csv markdown' -- "$cur")) ;;
	--color) COMPREPLY=($(compgen -W 'auto always never' -- "$cur")) ;;
	-o | --output | --scopes | --save | --resume | --stdin | --before | --after) COMPREPLY=($(compgen -f -- "$cur")) ;;
	--cwd) COMPREPLY=($(compgen -d -- "$cur")) ;;
	--setup | --prepare | --pre | --conclude | --post | --cleanup)
		COMPREPLY=($(compgen -c -- "$cur")) ;;
	esac
}

_abstat_event_names()
{
	echo cycles instructions cache-references cache-misses branches branch-misses \
		ref-cycles stalled-cycles-frontend stalled-cycles-backend task-clock cpu-clock \
		page-faults minor-faults major-faults context-switches cpu-migrations \
		L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses \
		duration_time user_time system_time max_rss
}

_abstat()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command options

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		COMPREPLY=($(compgen -W "$_abstat_commands --help --version" -- "$cur"))
		return
	fi
	command=${COMP_WORDS[1]}
	# "--option=value" comes as three words where "=" breaks words.
	if [[ $cur == = ]]; then
		cur=
		_abstat_values "$prev"
		return
	elif [[ $prev == = ]]; then
		_abstat_values "${COMP_WORDS[COMP_CWORD - 2]}"
		return
	fi
	options=" $(_abstat_options "$command") "
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$options" -- "$cur"))
		[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
		return
	fi
	case $prev in
	-e | -C | -r | -L | -x | -o) _abstat_values "$prev" ;;
	*)
		if [[ $prev == --* && $options == *" $prev= "* ]]; then
			_abstat_values "$prev"
		elif [[ $command == stat || $command == compare || $command == calibrate ]]; then
			COMPREPLY=($(compgen -c -f -- "$cur"))
		elif [[ $command == list ]]; then
			COMPREPLY=($(compgen -W '$(_abstat_event_names)' -- "$cur"))
		else
			COMPREPLY=($(compgen -f -- "$cur"))
		fi
		;;
	esac
}

complete -F _abstat abstat
