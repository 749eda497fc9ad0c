put 'TABLE', 'alice|0001', 'f:name', 'one', 1000
put 'TABLE', 'alice|0002', 'f:name', 'two', 1000
put 'TABLE', 'bob|0001', 'f:name', 'three', 1000
get 'TABLE', 'alice|0001'
get 'TABLE', 'user01|0003', 'f:price'
get 'TABLE', 'nobody|0001'
scan 'TABLE', {LIMIT => 5}
scan 'TABLE', {STARTROW => 'user02', STOPROW => 'user03'}
scan 'TABLE', {REVERSED => true, LIMIT => 3, COLUMNS => ['f:name']}
scan 'TABLE', {ROWPREFIXFILTER => 'alice|'}
scan 'TABLE', {FILTER => "PrefixFilter('user04|00')"}
scan 'TABLE', {FILTER => "SingleColumnValueFilter('f', 'price', =, 'binary:14')"}
count 'TABLE'
count 'TABLE', INTERVAL => 40
incr 'TABLE', 'bob|0002', 'f:n', 7
get_counter 'TABLE', 'bob|0002', 'f:n'
append 'TABLE', 'bob|0001', 'f:name', ' and more'
delete 'TABLE', 'alice|0001', 'f:name', 1000
deleteall 'TABLE', 'user00|0000'
deleteall 'TABLE', {ROWPREFIXFILTER => 'user01|'}
scan 'TABLE', {STOPROW => 'user02|0003'}
