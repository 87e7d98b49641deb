-- One command of one match, in one atomic step: known request? -> over? -> a deadline passed? -> lease? -> version
-- unchanged? -> stamp the time, charge the mover, write, append, set the deadlines, remember the answer.
-- Answers: known <answer> | unknown | over | deadline <kind> <seat> | stale_lease | conflict | not_due | refused |
-- done <stamp> <time until the next deadline, '' for none>. The decision itself was made outside; only the time is decided here.
local time_key, outages_key, clock_key, state_key, log_key, answers_key, deadlines_key, feed_key, presence_key,
  talk_one_key, talk_two_key, ended_key = unpack(KEYS)
local limit, match_id, seat, request_id, lease = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local mode, expected, answer = ARGV[6], tonumber(ARGV[7]), ARGV[8]

local t, epoch = shard_time(limit)
local match = load_match()
if not match then return {'unknown'} end
if request_id ~= '' then
  local known = redis.call('HGET', answers_key, seat .. ':' .. request_id)
  if known then return {'known', known} end
end
if match.over then
  remember(answers_key, seat, request_id, 'no over')
  return {'over'}
end

local at = t - match.start
local deadline = earliest(match)
if deadline and at < deadline.at then deadline = nil end
if mode == 'expire' then
  if not deadline then return {'not_due'} end
  at = deadline.at
end
if deadline and answer ~= deadline.kind .. ' ' .. us(deadline.seat) then
  return {'deadline', deadline.kind, us(deadline.seat)}
end

if seat ~= '' then
  local held = match.lease[tonumber(seat)]
  if held and lease < held then
    remember(answers_key, seat, request_id, 'no stale_lease')
    return {'stale_lease'}
  elseif held and lease > held then
    redis.call('HSET', clock_key, 'lease' .. seat, us(lease))
  end
end

if match.version ~= expected then return {'conflict'} end
if mode == 'refuse' then
  remember(answers_key, seat, request_id, answer)
  return {'refused'}
end

local event, state, is_public, over = ARGV[9], ARGV[10], ARGV[11] == '1', ARGV[12] == '1'
local board, measured_lag, idle, leaves, presence = ARGV[13], tonumber(ARGV[14]), ARGV[15], ARGV[16], ARGV[17]
local keep_ms, feed_length, lifted, talk_keep_ms, archived = ARGV[18], ARGV[19], ARGV[20], ARGV[21], ARGV[22] == '1'

-- Presence that was read before somebody reported anew must not be written over the newer report.
if presence ~= '' and presence ~= (redis.call('HGET', presence_key, 'reports') or '0') then
  return {'conflict'}
end

match.version = match.version + 1
if is_public then match.public = match.public + 1 end
local lag = 0
if board ~= '' then lag = press(match, tonumber(board), at, measured_lag) end
if lifted ~= '' then lift(match, tonumber(lifted), at) end
if idle ~= '' then match.idle = at + tonumber(idle) end
for changed, after in string.gmatch(leaves, '(%d+):(%d*)') do
  match.leave[tonumber(changed)] = after ~= '' and at + tonumber(after) or nil
end
if over then
  stop(match, at)
  match.over, match.ended, match.idle, match.leave = true, at, nil, {}
  match.outages_to = outages_until(match, at)
end

local stamped = stamp(match, at, is_public, epoch, lag)
save_match(match)
local next = schedule(match, deadlines_key, match_id, at)
redis.call('SET', state_key, state)
redis.call('RPUSH', log_key, stamped .. '\n' .. event)
redis.call('XADD', feed_key, 'MAXLEN', '~', feed_length, '*', 'm', match_id, 't', stamped, 'e', event, 's', state)
remember(answers_key, seat, request_id, 'ok ' .. us(match.version))
if over then
  redis.call('HSET', answers_key, 'over', '1') -- so that it is there, and what is remembered later ends with the rest
  for _, key in ipairs({clock_key, state_key, log_key, answers_key, presence_key}) do
    redis.call('PEXPIRE', key, keep_ms)
  end
  for _, key in ipairs({talk_one_key, talk_two_key}) do redis.call('PEXPIRE', key, talk_keep_ms) end
  if archived then redis.call('ZADD', ended_key, us(t), match_id) end
end
return {'done', stamped, next and us(next - at) or ''}
