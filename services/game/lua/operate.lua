-- One act of an operator, with its line in the list of such acts, in one step. KEYS: what it changes, the list.
-- ARGV[2]: put <field> <value> | drop <field> | set <value> <milliseconds to keep> | del | nothing. ARGV[6] is the line,
-- ARGV[7] how many are kept, ARGV[8] since when, in Unix milliseconds. Answers: done.
local what, field, value, keep, line, kept, since = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
if what == 'put' then
  redis.call('HSET', KEYS[1], field, value)
elseif what == 'drop' then
  redis.call('HDEL', KEYS[1], field)
elseif what == 'set' then
  redis.call('SET', KEYS[1], value, 'PX', keep)
elseif what == 'del' then
  redis.call('DEL', KEYS[1])
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', kept, '*', 'a', line)
redis.call('XTRIM', KEYS[2], 'MINID', since)
return {'done'}
