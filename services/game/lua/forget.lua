-- Takes fields out of a hash, each only if it still holds what was read. KEYS: the hash. ARGV[2..]: field, value, field,
-- value and so on. Answers how many.
local count = 0
for i = 2, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then count = count + redis.call('HDEL', KEYS[1], ARGV[i]) end
end
return {count}
