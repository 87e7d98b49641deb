-- A match as it is at this instant. Answers unknown, or done <stamp> <state> <milliseconds since the end> and, when
-- asked for, <log> <talk of team 1> <talk of team 2> <seats that mute their partner>; instead of done, "deadline" when
-- one has passed that must end the match before anybody is shown it.
local limit, whole = tonumber(ARGV[1]), ARGV[2] == '1'
local t, epoch = shard_time(limit)
local match = load_match()
if not match then return {'unknown'} end
local at = t - match.start
local deadline = earliest(match)
local answer = {
  deadline and at >= deadline.at and 'deadline' or 'done',
  stamp(match, match.over and match.ended or at, false, epoch),
  redis.call('GET', KEYS[4]),
  us(match.over and math.floor((at - match.ended) / 1000) or 0),
}
if whole then
  answer[5] = redis.call('LRANGE', KEYS[5], 0, -1)
  answer[6] = redis.call('LRANGE', KEYS[10], 0, -1)
  answer[7] = redis.call('LRANGE', KEYS[11], 0, -1)
  answer[8] = {}
  for index, mutes in ipairs(redis.call('HMGET', KEYS[6], 'mute0', 'mute1', 'mute2', 'mute3')) do
    if mutes == '1' then table.insert(answer[8], us(index - 1)) end
  end
end
return answer
