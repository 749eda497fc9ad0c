# shellcheck shell=bash
# A small disk of its own for one data node of a cluster on one machine: a file system in memory (tmpfs) that can be left without room.
# Linux, as root. cluster-hbase.sh sources this file.
#
#   cluster_disk_missing         print why there can be none here; return 1 if there can
#   cluster_disk_make DIR NAME   mount an empty one where a data node has its blocks, and note in DIR/disk which data node that is
#   cluster_disk_remove DIR      take it away with what is on it, if there is one
#   cluster_disk_fill DIR NAME   leave it no room
#   cluster_disk_is_full DIR NAME
#   cluster_disk_heal DIR NAME   give it its room back
#
# Each but the questions returns 0, or 1 after one line on standard error.

# Takes memory only for what is written. Name nodes want room for each block that is being written, 128 or 256 MB each.
_CLUSTER_DISK_MIB=4096

cluster_disk_missing() {
  local dir error
  dir=$(mktemp -d)
  mkdir -p "$dir/hdfs/datanode-1"
  if error=$({ cluster_disk_make "$dir" datanode-1 && : >"$dir/hdfs/datanode-1/file" && cluster_disk_fill "$dir" datanode-1; } 2>&1); then
    error=
  fi
  cluster_disk_remove "$dir" 2>/dev/null || true
  rm -rf "$dir"
  [[ -n $error ]] || return 1
  printf '%s\n' "${error#"$_SH_HBASE_NAME: "}"
}

cluster_disk_make() {
  local error
  mkdir -p "$1/hdfs/$2"
  error=$(mount -t tmpfs -o "size=${_CLUSTER_DISK_MIB}m,mode=700" rowguard "$1/hdfs/$2" 2>&1) ||
    _sh_hbase_fail "to mount a file system needs root, in a container also the right SYS_ADMIN: mount says ${error%%$'\n'*}" || return 1
  printf '%s\n' "$2" >"$1/disk"
}

cluster_disk_remove() {
  local disk error
  [[ -e $1/disk ]] || return 0
  disk=$1/hdfs/$(<"$1/disk")
  # After a restart of the machine it is gone.
  ! mountpoint -q "$disk" || error=$(umount "$disk" 2>&1) || _sh_hbase_fail "$error" || return 1
  rm -f "$1/disk"
}

cluster_disk_fill() {
  local disk=$1/hdfs/$2 used error tries
  for ((tries = 0; tries < 20; tries++)); do
    used=$(_cluster_disk_used "$disk")
    # It gets as small as what is on it, which costs no memory. The kernel refuses if more was written meanwhile; 0 would be no limit.
    ! error=$(mount -o "remount,size=$((used > 0 ? used : 4))k" "$disk" 2>&1) || return 0
  done
  _sh_hbase_fail "the disk of $2 does not get full: $error"
}

cluster_disk_is_full() {
  [[ -e $1/disk && $(<"$1/disk") == "$2" && $(df -Pk "$1/hdfs/$2" | awk 'NR == 2 { print $2 }') != $((_CLUSTER_DISK_MIB * 1024)) ]]
}

cluster_disk_heal() {
  local error
  ! cluster_disk_is_full "$1" "$2" || error=$(mount -o "remount,size=${_CLUSTER_DISK_MIB}m" "$1/hdfs/$2" 2>&1) || _sh_hbase_fail "$error"
}

# Private from here on.

_cluster_disk_used() {
  df -Pk "$1" | awk 'NR == 2 { print $3 }'
}
