# full-disk.sh FOLDER TOOL SOURCE, in a mount namespace of its own: FOLDER/disk becomes a disk of
# 16 KiB. Neither a runner nor the output, 32 KB, has room there.
work=$1 tool=$2 source=$3
mount -t tmpfs -o size=16k tmpfs "$work/disk" || exit 1
run() { "$tool" run "$source" -f ns::sums --arg n=8 -i b="$work/b.npy" --target cpu "$@"; }
files() { echo "files there: $(find "$work/disk" -type f | wc -l)"; }

XDG_CACHE_HOME="$work/disk" run -o b="$work/sums.npy"
echo "cache on the full disk: exit $?"
files
echo before >"$work/disk/sums.npy"
XDG_CACHE_HOME="$work/cache" run -o b="$work/disk/sums.npy"
echo "output on the full disk: exit $?"
cat "$work/disk/sums.npy"
files
