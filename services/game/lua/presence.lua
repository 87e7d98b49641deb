-- What a gateway reports of a match's seats, and who is present then. KEYS[13]: the shard's gateways with the time of
-- their last report; KEYS[14]: the matches that the reporting gateway holds. Without a gateway (ARGV[4] is '') nothing
-- is reported. Answers: gone (unknown or over) | done <state of the reports> <1 or 0 per seat, by commas>.
local limit, match_id, valid, gateway = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4]
local complete, reported = ARGV[5] == '1', ARGV[6]
local deadlines_key, presence_key, gateways_key, held_key = KEYS[7], KEYS[9], KEYS[13], KEYS[14]

local t = shard_time(limit)
local match = load_match()
if not match or match.over then
  redis.call('ZREM', deadlines_key, match_id)
  if gateway ~= '' then redis.call('SREM', held_key, match_id) end
  return {'gone'}
end

local function connections()
  local flat = redis.call('HGETALL', presence_key)
  local held = {}
  for i = 1, #flat, 2 do held[flat[i]] = flat[i + 1] end
  return held
end

local held = connections()
if gateway ~= '' then
  local named, changed = {}, false
  for seat, count in string.gmatch(reported, '(%d+):(%d+)') do
    local field = seat .. ':' .. gateway
    named[field] = true
    if held[field] ~= count then
      redis.call('HSET', presence_key, field, count)
      changed = true
    end
  end
  for field, count in pairs(held) do
    if complete and not named[field] and string.match(field, '^%d+:(.*)$') == gateway and count ~= '0' then
      redis.call('HSET', presence_key, field, '0')
      changed = true
    end
  end
  if changed then redis.call('HINCRBY', presence_key, 'reports', 1) end
  redis.call('SADD', held_key, match_id)
  held = connections()
end

-- A seat that nobody has reported on yet counts as present until the check at the start has passed.
local waiting = match.check and t - match.start < match.check
local online = {}
for seat = 0, match.seats - 1 do online[seat + 1] = waiting and '?' or '0' end
for field, count in pairs(held) do
  local seat, name = string.match(field, '^(%d+):(.*)$')
  seat = tonumber(seat)
  if seat and online[seat + 1] and online[seat + 1] ~= '1' then
    local last = redis.call('HGET', gateways_key, name)
    local present = count ~= '0' and last and t - last <= valid
    online[seat + 1] = present and '1' or '0'
  end
end
if match.check and not waiting then
  match.check = nil
  redis.call('HSET', KEYS[3], 'check', '')
end
schedule(match, deadlines_key, match_id, t - match.start)
return {'done', held.reports or '0', (string.gsub(table.concat(online, ','), '?', '1'))}
