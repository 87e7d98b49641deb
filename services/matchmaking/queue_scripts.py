"""The queue's steps that happen in the store at one stroke; all keys of one share a pool's slot."""

from __future__ import annotations

from libs.store.scripts import Script

_NOW = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local now_text = string.format('%.0f', now)
"""

# Puts one ticket: its hash, and its place: `list` is 'singles', 'pairs' or '', `due` a time or ''.
_PUT = """
local function put(key, lists, id, version, body, list, since, due, lifetime)
  redis.call('HSET', key, 'version', version, 'body', body)
  redis.call('PEXPIRE', key, lifetime)
  for name, set in pairs({singles = lists[1], pairs = lists[2]}) do
    if name == list then
      redis.call('ZADD', set, since, id)
    else
      redis.call('ZREM', set, id)
    end
  end
  if due == '' then
    redis.call('ZREM', lists[3], id)
  else
    redis.call('ZADD', lists[3], due, id)
  end
end
"""

LOAD = Script(
    "load_tickets",
    _NOW
    + """
-- KEYS: singles, pairs, tickets. Answers the time, how many people wait, and each ticket's fields.
local tickets = {}
for index = 3, #KEYS do
  tickets[index - 2] = redis.call('HGETALL', KEYS[index])
end
return {now_text, redis.call('ZCARD', KEYS[1]) + 2 * redis.call('ZCARD', KEYS[2]), tickets}
""",
)

SAVE = Script(
    "save_ticket",
    _NOW
    + _PUT
    + """
-- KEYS: singles, pairs, due, ticket, then the keys of its guests.
-- ARGV: id, version expected, version, body, list, since, due, lifetime, heard guest or '', the ticket that
--       the first guest is known to have (a new ticket only), number of guests who are members; the others
--       have left.
local found = tonumber(redis.call('HGET', KEYS[4], 'version') or '0')
if found ~= tonumber(ARGV[2]) then
  return 0
end
if found == 0 and (redis.call('GET', KEYS[5]) or '') ~= ARGV[10] then
  return 0
end
put(KEYS[4], KEYS, ARGV[1], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8])
if ARGV[9] ~= '' then
  redis.call('HSET', KEYS[4], 'heard:' .. ARGV[9], now_text)
end
for index = 5, #KEYS do
  if index < 5 + tonumber(ARGV[11]) then
    redis.call('SET', KEYS[index], ARGV[1], 'PX', ARGV[8])
  elseif redis.call('GET', KEYS[index]) == ARGV[1] then
    redis.call('DEL', KEYS[index])
  end
end
return 1
""",
)

ATTEND = Script(
    "attend",
    _NOW
    + """
-- KEYS: tickets. ARGV: lifetime, then for each ticket its guest and '1' when that one has just gone.
for index, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then
    local gone = ARGV[2 * index + 1] == '1'
    redis.call('HSET', key, 'heard:' .. ARGV[2 * index], gone and '0' or now_text)
    redis.call('PEXPIRE', key, ARGV[1])
  end
end
return redis.status_reply('OK')
""",
)

LOOK = Script(
    "look",
    _NOW
    + """
-- KEYS: lease, singles, pairs and due of some pools. ARGV: replica, how long a lease lasts, most to look at.
-- Answers the time, and of each pool whether the replica holds the lease; if so, the waiting and due tickets.
local looks = {}
for at = 1, #KEYS, 4 do
  local holder = redis.call('GET', KEYS[at])
  if holder and holder ~= ARGV[1] then
    looks[#looks + 1] = {0, {}, {}}
  else
    redis.call('SET', KEYS[at], ARGV[1], 'PX', ARGV[2])
    local waiting = redis.call('ZRANGE', KEYS[at + 1], 0, ARGV[3] - 1)
    for _, id in ipairs(redis.call('ZRANGE', KEYS[at + 2], 0, ARGV[3] - 1)) do
      waiting[#waiting + 1] = id
    end
    local due = redis.call('ZRANGEBYSCORE', KEYS[at + 3], '-inf', now_text, 'LIMIT', 0, ARGV[3])
    looks[#looks + 1] = {1, waiting, due}
  end
end
return {now_text, looks}
""",
)

CLAIM = Script(
    "claim",
    _NOW
    + _PUT
    + """
-- KEYS: lease, singles, pairs, due, tickets. ARGV: replica, lifetime; then for each ticket id, version
-- expected, version and body. All of them or none, and only for the replica that holds the lease. They are
-- due at once.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
for index = 5, #KEYS do
  if redis.call('HGET', KEYS[index], 'version') ~= ARGV[4 * index - 16] then
    return 0
  end
end
for index = 5, #KEYS do
  local at = 4 * index - 17
  local lists = {KEYS[2], KEYS[3], KEYS[4]}
  put(KEYS[index], lists, ARGV[at], ARGV[at + 2], ARGV[at + 3], '', '', now_text, ARGV[2])
end
return 1
""",
)
