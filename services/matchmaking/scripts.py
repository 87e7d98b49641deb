"""The steps that happen in the store at one stroke. Times are whole milliseconds of the store's clock."""

from __future__ import annotations

_NOW = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local now_text = string.format('%.0f', now)
"""

LOAD = (
    _NOW
    + """
-- KEYS: table. Answers the time and the table's fields.
return {now_text, redis.call('HGETALL', KEYS[1])}
"""
)

SAVE = """
-- KEYS: table, due, open, running, changes, bots, leases, counts.
-- ARGV: id, version expected, version, body, due or '', list ('open', 'running' or ''), birth, lifetime,
--       changes kept ('' when nobody is told), bots ('' no change, 'play' or 'drop'), time, what it adds to
--       the counts; then for 'play' seat and level of each.
local found = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if found ~= tonumber(ARGV[2]) then
  return 0
end
local id = ARGV[1]
redis.call('HSET', KEYS[1], 'version', ARGV[3], 'body', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[8])
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[2], id)
else
  redis.call('ZADD', KEYS[2], ARGV[5], id)
end
for index, list in ipairs({'open', 'running'}) do
  if ARGV[6] == list then
    redis.call('ZADD', KEYS[2 + index], ARGV[7], id)
  else
    redis.call('ZREM', KEYS[2 + index], id)
  end
end
if ARGV[9] ~= '' then
  redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[9], '*', 'id', id, 'body', ARGV[4])
end
local function count(text, sign)
  for name, number in string.gmatch(text, '(%S+) (%d+)') do
    redis.call('HINCRBY', KEYS[8], name, sign * number)
  end
end
local before = redis.call('HGET', KEYS[1], 'counted') or ''
if before ~= ARGV[12] then
  count(before, -1)
  count(ARGV[12], 1)
  redis.call('HSET', KEYS[1], 'counted', ARGV[12])
end
if ARGV[10] == 'play' then
  for index = 13, #ARGV, 2 do
    local seat = id .. ':' .. ARGV[index]
    if redis.call('HSETNX', KEYS[7], seat, ARGV[index + 1] .. ' 0 -') == 1 then
      redis.call('ZADD', KEYS[6], ARGV[11], seat)
    end
  end
elseif ARGV[10] == 'drop' then
  for seat = 0, 3 do
    redis.call('ZREM', KEYS[6], id .. ':' .. seat)
    redis.call('HDEL', KEYS[7], id .. ':' .. seat)
  end
end
return 1
"""

HEARD = (
    _NOW
    + """
-- KEYS: table. ARGV: seats that are connected now.
if redis.call('EXISTS', KEYS[1]) == 1 then
  for _, seat in ipairs(ARGV) do
    redis.call('HSET', KEYS[1], 'heard:' .. seat, now_text)
  end
end
return redis.status_reply('OK')
"""
)

TAKE_DUE = (
    _NOW
    + """
-- KEYS: due. ARGV: most to take, how long nobody else takes them.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now_text, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(due) do
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), id)
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local wait = -1
if first[2] then
  wait = math.max(0, first[2] - now)
end
return {string.format('%.0f', wait), due}
"""
)

POSTPONE = (
    _NOW
    + """
-- KEYS: due, table. ARGV: id, milliseconds from now, lifetime of the table.
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], 'XX', string.format('%.0f', now + ARGV[2]), ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
return redis.status_reply('OK')
"""
)

RENEW = (
    _NOW
    + """
-- KEYS: bots, leases, due. ARGV: worker, how long a lease lasts, number held; then seat and lease number
-- of each held one, then of each one given back because its match is over.
-- Answers how many seats wait for a worker, and the seats that are not the worker's.
local lost = {}
local position = 4
for index = position, #ARGV, 2 do
  local seat, number = ARGV[index], ARGV[index + 1]
  local entry = redis.call('HGET', KEYS[2], seat) or ''
  local _, owned, worker = string.match(entry, '^(%d+) (%d+) (.*)$')
  local own = owned == number and worker == ARGV[1]
  if index < position + 2 * tonumber(ARGV[3]) then
    if own then
      redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), seat)
    else
      lost[#lost + 1] = seat
      lost[#lost + 1] = number
    end
  elseif own then
    -- Whether it really is over, the sweep asks game; if not, somebody else plays it in a moment.
    redis.call('ZADD', KEYS[1], string.format('%.0f', now + 1000), seat)
    redis.call('ZADD', KEYS[3], 'XX', now_text, string.match(seat, '^[^:]+'))
  end
end
return {redis.call('ZCOUNT', KEYS[1], '-inf', now_text), lost}
"""
)

TAKE_CENSUS = """
-- KEYS: census. ARGV: replica, how long the lease lasts. Answers whether the replica has it.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""

COUNTS = (
    _NOW
    + """
-- KEYS: counts, bots. Answers how many bot seats wait for a worker, and the counts.
return {redis.call('ZCOUNT', KEYS[2], '-inf', now_text), redis.call('HGETALL', KEYS[1])}
"""
)

GRANT = (
    _NOW
    + """
-- KEYS: bots, leases. ARGV: worker, how long a lease lasts, most to grant.
-- Answers seat, level and lease number of each one granted.
local granted = {}
for _, seat in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now_text, 'LIMIT', 0, ARGV[3])) do
  local entry = redis.call('HGET', KEYS[2], seat)
  if entry then
    local level, number = string.match(entry, '^(%d+) (%d+) ')
    number = tonumber(number) + 1
    redis.call('HSET', KEYS[2], seat, level .. ' ' .. number .. ' ' .. ARGV[1])
    redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), seat)
    granted[#granted + 1] = seat
    granted[#granted + 1] = level
    granted[#granted + 1] = tostring(number)
  else
    redis.call('ZREM', KEYS[1], seat)
  end
end
return granted
"""
)
