-- Starts a match, unless it has started already. Answers: exists <version> | done <stamp>.
local state_key, log_key, deadlines_key, feed_key = KEYS[4], KEYS[5], KEYS[7], KEYS[8]
local limit, match_id, seats, initial, increment = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local idle, check, bots, rescue = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local leases, event, state, feed_length, curtain = ARGV[10], ARGV[11], ARGV[12], ARGV[13], ARGV[14]

local t, epoch = shard_time(limit)
local held = load_match()
if held then return {'exists', us(held.version)} end

redis.call('HSET', KEYS[3], 'start', us(t), 'seats', us(seats), 'increment', increment, 'check', check,
  'outages_from', redis.call('LLEN', KEYS[2]), 'bots', bots, 'rescue', rescue, 'curtain', curtain, 'over', '0', 'version', '1', 'public', '1')
local seat_number = 0
for lease in string.gmatch(leases, '%d+') do
  redis.call('HSET', KEYS[3], 'lease' .. seat_number, lease)
  seat_number = seat_number + 1
end
local match = load_match()
for seat = 0, seats - 1 do
  match.remaining[seat] = tonumber(initial)
end
for board = 0, seats / 2 - 1 do
  match.running[board] = match.clocked and not match.curtain and 2 * board or nil
  match.since[board] = 0
end
match.idle = tonumber(idle)
local stamped = stamp(match, 0, true, epoch)
save_match(match)
schedule(match, deadlines_key, match_id, 0)
redis.call('SET', state_key, state)
redis.call('RPUSH', log_key, stamped .. '\n' .. event)
redis.call('XADD', feed_key, 'MAXLEN', '~', feed_length, '*', 'm', match_id, 't', stamped, 'e', event, 's', state)
return {'done', stamped}
