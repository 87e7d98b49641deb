-- A shard's heartbeat, its next deadlines and its silent gateways. KEYS: time, outages, deadlines, gateways. ARGV[2]
-- is how long ago somebody could last move ('' for no telling), which is what a beat says; ARGV[3] is the most
-- deadlines to answer, ARGV[4] how long a gateway's word holds; all further ones are silent gateways that have been
-- dealt with.
-- Answers the shard's time, the instant of the next deadline ('' for none), the matches whose deadline has passed in
-- order, each with that instant, when the latest outage began and how long it lasted, how long all of them lasted, and
-- the silent gateways.
local limit, unmoved, batch, valid = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local t = shard_time(limit)
if unmoved then beat(unmoved) end
local outage = {string.match(redis.call('LINDEX', KEYS[2], -1) or '', '^(%d+) (%d+)$')}
local stopped = redis.call('HGET', KEYS[1], 'stopped') or '0'

local silent = {}
local gateways = redis.call('HGETALL', KEYS[4])
for i = 1, #gateways, 2 do
  if t - gateways[i + 1] > valid then silent[gateways[i]] = true end
end
for i = 5, #ARGV do
  if silent[ARGV[i]] then
    redis.call('HDEL', KEYS[4], ARGV[i])
    silent[ARGV[i]] = nil
  end
end
local names = {}
for name in pairs(silent) do names[#names + 1] = name end

local due = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', us(t), 'WITHSCORES', 'LIMIT', 0, batch)
local after = redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. us(t), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return {us(t), after[2] or '', due, outage, stopped, names}
