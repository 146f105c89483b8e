#!/bin/sh
# Runs a program in a system that lies in a folder, with this machine's /tmp and
# network: enter.sh ROOT PROGRAM [ARGUMENTS]. Needs root. What it mounts is seen by
# the program alone and goes with it; the process stays the same, so that signals
# reach the program.
set -eu
if [ "${TURNWATCH_ENTERED:-}" != yes ]; then
  TURNWATCH_ENTERED=yes exec unshare --mount --propagation private -- sh "$0" "$@"
fi
unset TURNWATCH_ENTERED
root=$1
shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /tmp "$root/tmp"
exec chroot "$root" "$@"
