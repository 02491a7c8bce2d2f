# Sourced by tests/check_*: the tree, its files, and the tools of --selftest.
#
# A check defines check(), which looks at the tree in $tree and prints a line
# "file:line: text" per finding, and selftest(). Exit codes: 0 nothing found,
# 1 findings, 2 the check itself could not work.

LC_ALL=C
export LC_ALL
tree=$(cd "$(dirname "$0")/.." && pwd)

fail() {
	echo "$(basename "$0"): $*" >&2
	exit 2
}

# Every file of the tree that belongs to it, one path a line.
all_files() {
	if [ -e "$tree/.git" ]; then
		git -C "$tree" -c safe.directory="$tree" ls-files --cached \
			--others --exclude-standard | while IFS= read -r f; do
			[ -f "$tree/$f" ] && printf '%s\n' "$f"
		done
	else
		(cd "$tree" && find . -name build -prune -o -name node_modules \
			-prune -o -type f -print) | sed 's|^\./||'
	fi | sort
}

c_files() {
	all_files | grep -E '\.[ch]$'
}

# A copy that can be broken; all later calls look at it.
copy_tree() {
	copy=$(mktemp -d) || fail "no temporary folder"
	trap 'rm -rf "$copy"' EXIT INT TERM
	all_files >"$copy/.files"
	tar -C "$tree" -cf - -T "$copy/.files" | tar -C "$copy" -xf -
	rm "$copy/.files"
	tree=$copy
}

# plant FILE: a file of the copy, with the text of stdin
plant() {
	mkdir -p "$tree/$(dirname "$1")"
	cat >"$tree/$1"
}

planted=0
# must_find WHAT LINE: the check reports that very line
must_find() {
	if ! check | grep -xF "$2" >/dev/null; then
		echo "selftest: $1: not found: $2" >&2
		exit 1
	fi
	planted=$((planted + 1))
}

# must_not_find WHAT WORDS: no line of the report has these words
must_not_find() {
	if check | grep -F "$2" >&2; then
		echo "selftest: $1: found for no reason" >&2
		exit 1
	fi
	planted=$((planted + 1))
}

# The end of every check: run_check "$@"
run_check() {
	case ${1-} in
	--selftest)
		copy_tree
		selftest
		echo "$(basename "$0"): selftest passed, $planted cases"
		;;
	'')
		[ "$(c_files | wc -l)" -gt 0 ] || fail "no C file in $tree"
		found=$(check) || fail "could not look at the tree"
		[ -z "$found" ] && exit 0
		printf '%s\n' "$found"
		exit 1
		;;
	*)
		echo "usage: $0 [--selftest]" >&2
		exit 2
		;;
	esac
}
