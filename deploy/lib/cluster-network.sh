# shellcheck shell=bash
# A network of its own for a cluster on one machine: each server has a network namespace with one address, and all hang on one bridge, on
# which this machine has an address too. Linux, as root, with iproute2. cluster-hbase.sh sources this file.
#
#   cluster_network_missing           print why there can be none here; return 1 if there can
#   cluster_network_make DIR          make the bridge, and note in DIR/network which it is
#   cluster_network_remove DIR        take away all of it, if there is any
#   cluster_network_join DIR NAME     make a server's namespace, if there is a network and it has none yet
#   cluster_address DIR NAME          print a server's address; without a network of its own 127.0.0.1
#   cluster_space DIR NAME            print its namespace; nothing without a network of its own
#   cluster_cut DIR NAME              pull its plug: nothing gets to it or away from it
#   cluster_cut DIR NAME PEER...      lose what it sends to other servers; what they send arrives
#   cluster_slow DIR NAME             let no more than 2 Mbit/s through to it and away from it, each packet up to 0.4 s late
#   cluster_is_cut DIR NAME           whether its plug is pulled
#   cluster_network_faults DIR NAME   print what else is wrong with its network, in words; nothing if it is whole
#   cluster_network_heal DIR NAME     take all of that back
#
# Each but cluster_network_missing returns 0, or 1 after one line on standard error.

# From the networks that are set aside for benchmarks (RFC 2544); 198.18 is what some proxies hand out.
_CLUSTER_NET=198.19

# No network card has it.
_CLUSTER_NO_MAC=02:00:00:00:00:00

cluster_network_missing() {
  local dir error
  if ! command -v ip >/dev/null || ! command -v tc >/dev/null; then
    printf 'ip and tc are missing: install iproute2\n'
    return 0
  fi
  dir=$(mktemp -d)
  if error=$({ cluster_network_make "$dir" && cluster_network_join "$dir" zookeeper && cluster_network_join "$dir" namenode &&
    cluster_slow "$dir" zookeeper && _cluster_network_reaches "$dir"; } 2>&1); then
    error=
  fi
  cluster_network_remove "$dir" 2>/dev/null || true
  rm -rf "$dir"
  [[ -n $error ]] || return 1
  error=${error##*$'\n'}
  printf '%s\n' "${error#"$_SH_HBASE_NAME: "}"
}

cluster_network_make() {
  local id tries error=
  for ((tries = 0; tries < 50; tries++)); do
    id=$((RANDOM % 256))
    if error=$(ip link add "rowguard-$id" type bridge 2>&1); then
      printf '%s\n' "$id" >"$1/network"
      _cluster_network_try ip link set "rowguard-$id" alias "$(_cluster_network_owner "$1")" &&
        _cluster_network_try ip addr add "$_CLUSTER_NET.$id.1/24" dev "rowguard-$id" &&
        _cluster_network_try ip link set "rowguard-$id" up
      return
    fi
    [[ $error == *exists* ]] || break
  done
  _sh_hbase_fail "network namespaces and bridges need root, in a container also the rights NET_ADMIN and SYS_ADMIN: ip says $error"
}

cluster_network_remove() {
  local id each status=0
  [[ -e $1/network ]] || return 0
  id=$(<"$1/network")
  # After a restart of the machine another cluster may have this number.
  if [[ $(cat "/sys/class/net/rowguard-$id/ifalias" 2>/dev/null) == "$(_cluster_network_owner "$1")" ]]; then
    for each in /sys/class/net/rowguard"$id"-*; do
      [[ ! -e $each ]] || _cluster_network_try ip link del "${each##*/}" || status=1
    done
    for each in $(ip netns list | sed -n "s/^\(rowguard-$id-[a-z0-9-]*\).*/\1/p"); do
      _cluster_network_try ip netns del "$each" || status=1
    done
    _cluster_network_try ip link del "rowguard-$id" || status=1
  fi
  ((status != 0)) || rm -f "$1/network"
  return "$status"
}

cluster_network_join() {
  local space link
  [[ -e $1/network ]] || return 0
  space=$(cluster_space "$1" "$2")
  link=$(_cluster_link "$1" "$2")
  [[ ! -e /sys/class/net/$link ]] || return 0
  _cluster_network_try ip netns add "$space" &&
    _cluster_network_try ip link add "$link" type veth peer name eth0 netns "$space" &&
    _cluster_network_try ip link set "$link" master "rowguard-$(<"$1/network")" up &&
    _cluster_network_try ip -n "$space" link set lo up &&
    _cluster_network_try ip -n "$space" addr add "$(cluster_address "$1" "$2")/24" dev eth0 &&
    _cluster_network_try ip -n "$space" link set eth0 up
}

cluster_address() {
  if [[ -e $1/network ]]; then
    printf '%s.%s.%s\n' "$_CLUSTER_NET" "$(<"$1/network")" "$(_cluster_number "$2")"
  else
    printf '127.0.0.1\n'
  fi
}

cluster_space() {
  [[ ! -e $1/network ]] || printf 'rowguard-%s-%s\n' "$(<"$1/network")" "$2"
}

cluster_cut() {
  local dir=$1 name=$2 peer
  shift 2
  if (($# == 0)); then
    # Of the pair this is the end that the server does not see: its address and its routes stay, as with a pulled plug.
    _cluster_network_try ip link set "$(_cluster_link "$dir" "$name")" down
    return
  fi
  # No filter of packets is needed for that: what goes to an unknown card nobody takes.
  for peer in "$@"; do
    _cluster_network_try ip -n "$(cluster_space "$dir" "$name")" neigh replace "$(cluster_address "$dir" "$peer")" \
      lladdr "$_CLUSTER_NO_MAC" dev eth0 nud permanent || return 1
  done
}

cluster_slow() {
  local limit=(root tbf rate 2mbit burst 16kb latency 400ms)
  _cluster_network_try tc qdisc replace dev "$(_cluster_link "$1" "$2")" "${limit[@]}" &&
    _cluster_network_try ip netns exec "$(cluster_space "$1" "$2")" tc qdisc replace dev eth0 "${limit[@]}"
}

cluster_is_cut() {
  [[ -e $1/network && $(_cluster_noted "/sys/class/net/$(_cluster_link "$1" "$2")/operstate") == down ]]
}

cluster_network_faults() {
  local space peer lost peers=()
  [[ -e $1/network ]] || return 0
  space=$(cluster_space "$1" "$2")
  # A line for each lost one, its address first.
  lost=$(ip -n "$space" neigh show nud permanent 2>/dev/null) || true
  if [[ -n $lost ]]; then
    for peer in $(cluster_servers "$1"); do
      [[ $'\n'$lost != *$'\n'"$(cluster_address "$1" "$peer") "* ]] || peers+=("$peer")
    done
  fi
  ((${#peers[@]} == 0)) || printf ' (cut from %s)' "${peers[*]}"
  [[ $(tc qdisc show dev "$(_cluster_link "$1" "$2")" 2>/dev/null) != *tbf* ]] || printf ' (slow)'
}

cluster_network_heal() {
  local space link
  [[ -e $1/network ]] || return 0
  space=$(cluster_space "$1" "$2")
  link=$(_cluster_link "$1" "$2")
  if [[ $(tc qdisc show dev "$link") == *tbf* ]]; then
    _cluster_network_try tc qdisc del dev "$link" root &&
      _cluster_network_try ip netns exec "$space" tc qdisc del dev eth0 root || return 1
  fi
  _cluster_network_try ip -n "$space" neigh flush dev eth0 nud permanent &&
    _cluster_network_try ip link set "$link" up
}

# Private from here on.

# The last part of a server's address: there are fewer than ten of a kind.
_cluster_number() {
  case $1 in
    zookeeper) printf '2\n' ;;
    namenode) printf '3\n' ;;
    datanode-*) printf '1%s\n' "${1##*-}" ;;
    master-*) printf '2%s\n' "${1##*-}" ;;
    region-server-*) printf '3%s\n' "${1##*-}" ;;
  esac
}

# This machine's end of a server's cable. A name of 15 characters is as long as can be.
_cluster_link() {
  printf 'rowguard%s-%s\n' "$(<"$1/network")" "$(_cluster_number "$2")"
}

# By which a bridge is known again; an alias has up to 255 characters.
_cluster_network_owner() {
  printf '%s' "$1" | tail -c 200
}

_cluster_network_try() {
  local error
  error=$("$@" 2>&1) || _sh_hbase_fail "$* failed: $error"
}

# Whether servers reach each other: a port that nobody listens on then says so at once.
_cluster_network_reaches() {
  local answer
  answer=$(LC_ALL=C ip netns exec "$(cluster_space "$1" zookeeper)" \
    timeout 5 bash -c "exec 3<>/dev/tcp/$(cluster_address "$1" namenode)/9" 2>&1) || true
  [[ $answer == *refused* ]] ||
    _sh_hbase_fail "nothing gets over a bridge; if this machine filters it, net.bridge.bridge-nf-call-iptables=0 ends that"
}
