-- A gateway's sign of life in one shard, which is a beat too: the service takes moves. KEYS: time, outages, gateways,
-- matches it holds. Answers the matches to look at again: all that it holds when its report is complete, or when its
-- word had lost its worth meanwhile.
local limit, name, valid, complete = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4] == '1'
local t = shard_time(limit)
beat(0)
local last = redis.call('HGET', KEYS[3], name)
redis.call('HSET', KEYS[3], name, us(t))
local revived = not last or t - last > valid
if revived then redis.call('PERSIST', KEYS[4]) end
if complete or revived then return redis.call('SMEMBERS', KEYS[4]) end
return {}
