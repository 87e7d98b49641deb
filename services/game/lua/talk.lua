-- A line to the partner: numbered within the team, outside the match's version. Answers: unknown_match | known <answer> |
-- stale_lease | talk_too_fast | done <number>.
local limit, match_id, seat, request_id, lease = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local team, line, most, window = ARGV[6], ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9])
local kept_lines, feed_length, talk_keep_ms = tonumber(ARGV[10]), ARGV[11], tonumber(ARGV[12])
local answers_key, feed_key, talk_key = KEYS[6], KEYS[8], KEYS[9 + tonumber(team)]

local t = shard_time(limit)
local match = load_match()
if not match then return {'unknown_match'} end
local known = redis.call('HGET', answers_key, seat .. ':' .. request_id)
if known then return {'known', known} end
if lease < match.lease[tonumber(seat)] then
  remember(answers_key, seat, request_id, 'no stale_lease')
  return {'stale_lease'}
end

-- Calm: at most so many lines of one seat in the window, by the store's own time.
local recent = {us(now)}
for said in string.gmatch(redis.call('HGET', answers_key, seat .. '@') or '', '%d+') do
  if now - said < window then recent[#recent + 1] = said end
end
if #recent > most then
  remember(answers_key, seat, request_id, 'no talk_too_fast')
  return {'talk_too_fast'}
end
redis.call('HSET', answers_key, seat .. '@', table.concat(recent, ','))

local number = us(redis.call('HINCRBY', answers_key, 'talk' .. team, 1))
-- The partner is the other seat of the team: 0 and 3, or 1 and 2.
local muted = redis.call('HGET', answers_key, 'mute' .. us(3 - tonumber(seat))) == '1'
local entry = number .. ' ' .. us(t - match.start) .. (muted and ' m' or '') .. '\n' .. line
redis.call('RPUSH', talk_key, entry)
redis.call('LTRIM', talk_key, -kept_lines, -1)
redis.call('XADD', feed_key, 'MAXLEN', '~', feed_length, '*', 'm', match_id, 'w', team, 'l', entry)
remember(answers_key, seat, request_id, 'ok ' .. number)
if match.over then
  -- Kept as long as what was said before: the time counts from the end, not from this line. A shard's time stands still
  -- in outages and what is kept does not: so nothing is ever kept for longer than it already is.
  local ended_ago_ms = math.floor((t - match.start - match.ended) / 1000)
  redis.call('PEXPIRE', talk_key, us(math.max(0, talk_keep_ms - ended_ago_ms)), 'LT')
  -- A match that an earlier version has ended may have had no answers by then.
  redis.call('PEXPIRE', answers_key, us(math.max(1, redis.call('PTTL', KEYS[3]))), 'LT')
end
return {'done', number}
