"""The steps that happen in the store at one stroke. Times are whole milliseconds of the store's clock."""

from __future__ import annotations

from libs.store.scripts import Script

_NOW = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local now_text = string.format('%.0f', now)
"""

LOAD = Script(
    "load",
    _NOW
    + """
-- KEYS: table. Answers the time and the table's fields.
return {now_text, redis.call('HGETALL', KEYS[1])}
""",
)

SAVE = Script(
    "save",
    """
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
""",
)

HEARD = Script(
    "heard",
    _NOW
    + """
-- KEYS: table. ARGV: seats that are connected now.
if redis.call('EXISTS', KEYS[1]) == 1 then
  for _, seat in ipairs(ARGV) do
    redis.call('HSET', KEYS[1], 'heard:' .. seat, now_text)
  end
end
return redis.status_reply('OK')
""",
)

TAKE_DUE = Script(
    "take_due",
    _NOW
    + """
-- KEYS: due of some shards. ARGV: most to take of each, how long nobody else takes them.
-- Answers how long until the next one, -1 for none, and those taken.
local taken, wait = {}, -1
for _, key in ipairs(KEYS) do
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', now_text, 'LIMIT', 0, ARGV[1])) do
    redis.call('ZADD', key, string.format('%.0f', now + ARGV[2]), id)
    taken[#taken + 1] = id
  end
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  if first[2] and (wait < 0 or first[2] - now < wait) then
    wait = math.max(0, first[2] - now)
  end
end
return {string.format('%.0f', wait), taken}
""",
)

POSTPONE = Script(
    "postpone",
    _NOW
    + """
-- KEYS: due, table. ARGV: id, milliseconds from now, lifetime of the table.
-- A table that is looked at no more, as it is over by now, is kept no longer for it.
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
elseif redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  redis.call('ZADD', KEYS[1], 'XX', string.format('%.0f', now + ARGV[2]), ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
return redis.status_reply('OK')
""",
)

RENEW = Script(
    "renew",
    _NOW
    + """
-- KEYS: bots, leases and due of some shards. ARGV: worker, how long a lease lasts; then of each shard the
-- number held, the number given back because their match is over, and seat and lease number of each of them.
-- Answers of each shard how many seats wait for a worker, and the seats that are not the worker's.
local answers, at = {}, 3
for index = 1, #KEYS, 3 do
  local bots, leases, due = KEYS[index], KEYS[index + 1], KEYS[index + 2]
  local kept, ended = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local lost = {}
  at = at + 2
  for place = 1, kept + ended do
    local seat, number = ARGV[at], ARGV[at + 1]
    at = at + 2
    local entry = redis.call('HGET', leases, seat) or ''
    local _, owned, worker = string.match(entry, '^(%d+) (%d+) (.*)$')
    local own = owned == number and worker == ARGV[1]
    if place <= kept then
      if own then
        redis.call('ZADD', bots, string.format('%.0f', now + ARGV[2]), seat)
      else
        lost[#lost + 1] = seat
        lost[#lost + 1] = number
      end
    elseif own then
      -- Whether it really is over, the sweep asks game; if not, somebody else plays it in a moment.
      redis.call('ZADD', bots, string.format('%.0f', now + 1000), seat)
      redis.call('ZADD', due, 'XX', now_text, string.match(seat, '^[^:]+'))
    end
  end
  answers[#answers + 1] = {redis.call('ZCOUNT', bots, '-inf', now_text), lost}
end
return answers
""",
)

TAKE_CENSUS = Script(
    "take_census",
    """
-- KEYS: census. ARGV: replica, how long the lease lasts. Answers whether the replica has it.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
""",
)

COUNTS = Script(
    "count",
    _NOW
    + """
-- KEYS: counts and bots of some shards. Answers how many bot seats wait for a worker, and the counts of each.
local waiting, counts = 0, {}
for index = 1, #KEYS, 2 do
  counts[#counts + 1] = redis.call('HGETALL', KEYS[index])
  waiting = waiting + redis.call('ZCOUNT', KEYS[index + 1], '-inf', now_text)
end
return {waiting, counts}
""",
)

GRANT = Script(
    "grant",
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
""",
)
