# shellcheck shell=bash
# The servers of a cluster on one machine, each in a JVM of its own, from the jars that Maven has: ZooKeeper, HDFS, HBase with
# Rowguard's server jar. Source this file; it starts nothing by itself. ../cluster.sh is what people use.
#
#   cluster_servers DIR              print the names of the servers that are meant to run, one a line, in the order of their start
#   cluster_state DIR NAME           print running, cut (off the network), paused (stopped by a signal) or dead
#   cluster_launch DIR NAME          start a server that does not run; CLUSTER_HEAP is -Xmx of a region server
#   cluster_signal DIR NAME SIGNAL   send it a signal
#   cluster_end DIR NAME SECONDS     end it in good order; return 1 if it was killed because it had not ended after so long
#   cluster_await DIR NAME           wait until it serves, or say why it will not; SH_HBASE_TIMEOUT seconds at most, default 180
#   cluster_heal DIR NAME            take back what was done to its network and its disk
#   cluster_active_master DIR        print the name of the master that is active and initialized; return 1 if there is none
#   cluster_port DIR NAME, cluster_web_port DIR NAME, cluster_version DIR NAME
#   cluster_network_... DIR ...      see cluster-network.sh
#   cluster_disk_... DIR ...         see cluster-disk.sh
#
# NAME is zookeeper, namenode, or datanode, master, region-server with a number: region-server-2. Each returns 0, or 1 after one line
# on standard error. DIR has conf/ and lib/ as standalone-hbase.sh has them, servers/ (a server's process id, ports and version),
# logs/NAME, hdfs/NAME and zookeeper/.

_SH_HBASE_NAME=cluster
_SH_HBASE_MARK='written at every start by cluster-hbase.sh'
# shellcheck source=SCRIPTDIR/local-hbase.sh
. "$(dirname "${BASH_SOURCE[0]}")/local-hbase.sh"
# shellcheck source=SCRIPTDIR/cluster-network.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster-network.sh"
# shellcheck source=SCRIPTDIR/cluster-disk.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster-disk.sh"

cluster_servers() {
  local kind file
  for kind in zookeeper namenode datanode master region-server; do
    for file in "$1/servers/$kind".pid "$1/servers/$kind"-[0-9].pid; do
      if [[ -e $file ]]; then
        file=${file##*/}
        printf '%s\n' "${file%.pid}"
      fi
    done
  done
}

cluster_state() {
  if ! _sh_hbase_alive "$1/servers/$2.pid" "$1/logs/$2"; then
    printf 'dead\n'
  elif [[ $(ps -o state= -p "$(<"$1/servers/$2.pid")") == T* ]]; then
    printf 'paused\n'
  elif cluster_is_cut "$1" "$2"; then
    printf 'cut\n'
  else
    printf 'running\n'
  fi
}

cluster_port() {
  _cluster_noted "$1/servers/$2.port"
}

cluster_web_port() {
  _cluster_noted "$1/servers/$2.web"
}

cluster_version() {
  _cluster_noted "$1/servers/$2.version"
}

cluster_launch() {
  local dir=$1 name=$2 kind=${2%-[0-9]} port web address options=() _SH_HBASE_WITHIN=()
  mkdir -p "$dir/logs/$name"
  port=$(_cluster_claim "$dir" "$name" port) || return 1
  web=$(_cluster_claim "$dir" "$name" web) || return 1
  address=$(cluster_address "$dir" "$name")
  if [[ -e $dir/network ]]; then
    cluster_network_join "$dir" "$name" || return 1
    _SH_HBASE_WITHIN=(ip netns exec "$(cluster_space "$dir" "$name")")
  fi
  cluster_heal "$dir" "$name" || return 1
  case $kind in
    zookeeper) options=(-Xmx128m org.apache.hadoop.hbase.zookeeper.HQuorumPeer) ;;
    namenode)
      options=(-Xmx256m org.apache.hadoop.hdfs.server.namenode.NameNode "-Ddfs.namenode.http-address=$address:$web")
      ;;
    datanode)
      options=(-Xmx256m org.apache.hadoop.hdfs.server.datanode.DataNode "-Ddfs.datanode.data.dir=file://$dir/hdfs/$name"
        "-Ddfs.datanode.hostname=$address" "-Ddfs.datanode.address=$address:$port" "-Ddfs.datanode.http.address=$address:$web"
        "-Ddfs.datanode.ipc.address=$address:0")
      ;;
    master)
      options=(-Xmx384m org.apache.hadoop.hbase.master.HMaster "-Dhbase.master.hostname=$address"
        "-Dhbase.master.ipc.address=$address" "-Dhbase.master.port=$port"
        "-Dhbase.master.info.bindAddress=$address" "-Dhbase.master.info.port=$web" start)
      ;;
    region-server)
      options=("-Xmx${CLUSTER_HEAP:-768m}" org.apache.hadoop.hbase.regionserver.HRegionServer
        "-Dhbase.unsafe.regionserver.hostname=$address"
        "-Dhbase.regionserver.ipc.address=$address" "-Dhbase.regionserver.port=$port"
        "-Dhbase.regionserver.info.bindAddress=$address" "-Dhbase.regionserver.info.port=$web" start)
      ;;
    *)
      _sh_hbase_fail "no server is called $name"
      return 1
      ;;
  esac
  date +%s >"$dir/servers/$name.began"
  # A cluster lives too short to earn back what the optimizing compiler costs on a small machine.
  CLASSPATH=$(_cluster_classpath "$dir" "$kind") _sh_hbase_launch "$dir/servers/$name.pid" "$dir/logs/$name" \
    "$dir/logs/$name/hbase.out" "-Djava.io.tmpdir=$dir/tmp" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
    -XX:+ExitOnOutOfMemoryError "${options[@]}" || return 1
  _cluster_version_of "$dir" "$kind" >"$dir/servers/$name.version"
}

cluster_signal() {
  kill "-$3" "$(<"$1/servers/$2.pid")" 2>/dev/null || {
    _sh_hbase_fail "$2 does not run"
    return 1
  }
}

cluster_heal() {
  cluster_network_heal "$1" "$2" && cluster_disk_heal "$1" "$2"
}

cluster_end() {
  [[ $(cluster_state "$1" "$2") != dead ]] || return 0
  # A paused one would get the signal only when it goes on.
  cluster_signal "$1" "$2" CONT
  cluster_signal "$1" "$2" TERM || return 0
  if ! _sh_hbase_ended "$1/servers/$2.pid" "$1/logs/$2" "$3"; then
    _sh_hbase_say "$2 did not end within $3 s and was killed; see $1/logs/$2"
    cluster_signal "$1" "$2" KILL || return 0
    _sh_hbase_ended "$1/servers/$2.pid" "$1/logs/$2" 30 || true
    return 1
  fi
}

cluster_await() {
  local dir=$1 name=$2 began=$SECONDS timeout=${SH_HBASE_TIMEOUT:-180}
  until _cluster_serves "$dir" "$name"; do
    # A second look: while a process becomes another program, it has no arguments for a moment.
    if [[ $(cluster_state "$dir" "$name") == dead ]] && sleep 0.5 && [[ $(cluster_state "$dir" "$name") == dead ]]; then
      _sh_hbase_fail "$name ended while starting$(_sh_hbase_reason "$dir/logs/$name"); see $dir/logs/$name"
      return 1
    elif ((SECONDS - began >= timeout)); then
      _sh_hbase_fail "$name does not serve after $timeout s (SH_HBASE_TIMEOUT); see $dir/logs/$name"
      return 1
    fi
    sleep 0.5
  done
}

cluster_active_master() {
  local name
  for name in $(cluster_servers "$1" | grep '^master-'); do
    if [[ $(_cluster_master_role "$1" "$name") == active ]]; then
      printf '%s\n' "$name"
      return 0
    fi
  done
  return 1
}

# Private from here on.

# The line of a file; nothing without one. No other program reads it: on a machine full of work each start of one waits its turn.
_cluster_noted() {
  local noted
  { read -r noted <"$1"; } 2>/dev/null && printf '%s\n' "$noted"
}

# The port of a server, kept for its next start unless somebody else has it by then: _cluster_claim DIR NAME port|web
_cluster_claim() {
  local file=$1/servers/$2.$3 port
  if [[ ! -s $file ]] || _sh_hbase_port_busy "$(<"$file")"; then
    port=$(_sh_hbase_free_port) || return 1
    while grep -qsx "$port" "$1"/servers/*.port "$1"/servers/*.web; do
      port=$(_sh_hbase_free_port) || return 1
    done
    printf '%s\n' "$port" >"$file"
  fi
  cat "$file"
}

# ZooKeeper and HDFS keep the version that they were made with: HBase is what is upgraded, and HDFS does not go back.
_cluster_classpath() {
  case $2 in
    master | region-server) printf '%s/conf:%s:%s/pages' "$1" "$(<"$1/conf/classpath")" "$1" ;;
    *) printf '%s/conf:%s:%s/pages' "$1" "$(<"$1/conf/storage.classpath")" "$1" ;;
  esac
}

# HBase's version, of ZooKeeper and HDFS their own: _cluster_version_of DIR KIND
_cluster_version_of() {
  local library
  case $2 in
    zookeeper) library=zookeeper ;;
    namenode | datanode) library=hadoop-hdfs ;;
    *) library=hbase-server ;;
  esac
  _cluster_classpath "$1" "$2" | tr ':' '\n' | sed -n "s|.*/$library-\([0-9][^/]*\)\.jar\$|\1|p" | head -n 1
}

_cluster_serves() {
  local nodes
  case $2 in
    zookeeper | namenode) _sh_hbase_port_busy "$(cluster_port "$1" "$2")" "$(cluster_address "$1" "$2")" ;;
    datanode-*)
      # The name node knows it by its address.
      nodes=$(_cluster_get "$1" namenode '/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo' |
        grep '"LiveNodes"') || return 1
      [[ $nodes == *"$(cluster_address "$1" "$2"):$(cluster_port "$1" "$2")\\\""* ]]
      ;;
    master-*) [[ -n $(_cluster_master_role "$1" "$2") ]] ;;
    region-server-*) _cluster_is_live "$1" "$2" ;;
  esac
}

# active, backup, or nothing while it is about to become one of them or does not answer.
_cluster_master_role() {
  local bean
  bean=$(_cluster_get "$1" "$2" '/jmx?qry=Hadoop:service=HBase,name=Master,sub=Server')
  if [[ $bean == *'"tag.isActiveMaster":"false"'* ]]; then
    printf 'backup\n'
  elif [[ $bean == *'"tag.isActiveMaster":"true"'* && $bean =~ \"masterFinishedInitializationTime\":[1-9] ]]; then
    printf 'active\n'
  fi
}

# Whether the active master has it among its live servers, and means this process, not one before it.
_cluster_is_live() {
  local master live known start
  master=$(cluster_active_master "$1") || return 1
  live=$(_cluster_get "$1" "$master" '/jmx?qry=Hadoop:service=HBase,name=Master,sub=Server' |
    grep '"tag.liveRegionServers"') || return 1
  known=$(cluster_address "$1" "$2"),$(cluster_port "$1" "$2")
  start=$(sed -n "s/.*[^0-9.]${known//./\\.},\([0-9]*\).*/\1/p" <<<"$live")
  # Its start code is the time at which it began.
  [[ -n $start ]] && ((start / 1000 >= $(<"$1/servers/$2.began")))
}

# A page of a server that runs, without blanks; nothing if it does not answer within 5 s: _cluster_get DIR NAME PATH
_cluster_get() (
  line=
  # One that is cut off or paused would not even refuse.
  [[ $(cluster_state "$1" "$2") == running ]] || exit 0
  exec 2>/dev/null
  exec 3<>"/dev/tcp/$(cluster_address "$1" "$2")/$(cluster_web_port "$1" "$2")" || exit 0
  printf 'GET %s HTTP/1.0\r\n\r\n' "$3" >&3
  while IFS= read -t 5 -r line <&3; do
    printf '%s\n' "${line// /}"
  done
  printf '%s' "${line// /}"
)

# Writes what servers and clients read. conf/classpath is there already: _cluster_configure DIR DATANODES REGION_SERVERS
_cluster_configure() {
  local dir=$1 datanodes=$2 servers=$3 namenode zookeeper
  zookeeper=$(_cluster_claim "$dir" zookeeper port) || return 1
  namenode=$(_cluster_claim "$dir" namenode port) || return 1
  namenode=$(cluster_address "$dir" namenode):$namenode
  # The jars of HDFS have no web pages, and its servers do not start without the folders.
  mkdir -p "$dir"/pages/webapps/{hdfs,datanode,static}
  # HBase shows a state in JMX that is as old as this, in seconds.
  printf '*.period=1\n' >"$dir/conf/hadoop-metrics2-hbase.properties"
  {
    printf '<configuration>\n'
    _sh_hbase_properties <<PROPERTIES
fs.defaultFS hdfs://$namenode
hadoop.tmp.dir $(_sh_hbase_xml "$dir")/tmp
PROPERTIES
    printf '</configuration>\n'
  } >"$dir/conf/core-site.xml"
  # A data node is missed after 30 s, not after ten minutes, and a reader turns to another one after 10 s.
  # With three of them there is none to take a lost one's place in what is being written.
  {
    printf '<configuration>\n'
    _sh_hbase_properties <<PROPERTIES
dfs.replication $datanodes
dfs.namenode.rpc-address $namenode
dfs.namenode.name.dir $(_sh_hbase_xml "$dir")/hdfs/namenode
dfs.namenode.datanode.registration.ip-hostname-check false
dfs.namenode.heartbeat.recheck-interval 10000
dfs.heartbeat.interval 1
dfs.namenode.stale.datanode.interval 10000
dfs.namenode.avoid.read.stale.datanode true
dfs.namenode.avoid.write.stale.datanode true
dfs.namenode.safemode.extension 0
dfs.client.socket-timeout 20000
dfs.client.block.write.replace-datanode-on-failure.best-effort true
PROPERTIES
    printf '</configuration>\n'
  } >"$dir/conf/hdfs-site.xml"
  # HBase's own session of 90 s is more than ZooKeeper grants. Its logs avoid a data node for six hours after one failure: of three none
  # can be spared for that.
  _sh_hbase_write_site "$dir" <<PROPERTIES
hbase.cluster.distributed true
hbase.rootdir hdfs://$namenode/hbase
hbase.zookeeper.quorum $(cluster_address "$dir" zookeeper)
hbase.zookeeper.property.clientPort $zookeeper
hbase.zookeeper.property.clientPortAddress $(cluster_address "$dir" zookeeper)
hbase.zookeeper.property.admin.enableServer false
hbase.master.wait.on.regionservers.mintostart 1
hbase.master.wait.on.regionservers.maxtostart $servers
hbase.regionserver.msginterval 1000
hbase.regionserver.hlog.splitlog.buffersize 16777216
hbase.regionserver.async.wal.max.exclude.datanode.count 0
zookeeper.session.timeout ${CLUSTER_SESSION_MILLIS:-20000}
PROPERTIES
}
