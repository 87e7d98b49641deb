-- What all scripts share. KEYS[1] is the shard's time, KEYS[2] its list of outages, KEYS[3] a match's clock.
-- Times are microseconds. They leave Lua only through us(): tostring would lose digits.
local function us(number)
  return string.format('%.0f', number)
end

-- Whether another store answers than before (it was started anew, or a replica took over), and the shard's epoch. What
-- came last may be lost then: the epoch rises with the first script there, before anything is numbered anew.
local function epoch(held, before)
  local origin = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
  if before == origin then return false, held or '0' end
  redis.call('HSET', KEYS[1], 'origin', origin)
  if not before then return false, held or '0' end
  return true, us(redis.call('HINCRBY', KEYS[1], 'epoch', 1))
end

-- The store's own time; `last` is the latest of it at which somebody could move: a beat, or something written to a
-- match. Neither goes back, also when another machine's clock takes over.
local now
local function touch()
  redis.call('HSET', KEYS[1], 'last', us(now))
end
-- The service takes moves, for all that is known; that it did was last certain `unmoved` ago.
local function beat(unmoved)
  redis.call('HSET', KEYS[1], 'beat', us(now))
  if now - unmoved > tonumber(redis.call('HGET', KEYS[1], 'last') or 0) then
    redis.call('HSET', KEYS[1], 'last', us(now - unmoved))
  end
end

-- The shard's time without its outages (T-outage), and its epoch. When the last beat is older than `limit`, or another
-- store answers, nobody could move since `last`: that is added to the stopped total, and to the outage on record.
local function shard_time(limit)
  local held = redis.call('HMGET', KEYS[1], 'last', 'beat', 'stopped', 'epoch', 'origin')
  now = now_us()
  local last = tonumber(held[1] or now)
  local beat, stopped = tonumber(held[2] or 0), tonumber(held[3] or 0)
  local is_other, number = epoch(held[4], held[5])
  if now < last then now = last end
  if (is_other or now - beat > limit) and now > last then
    local gap, began = now - last, us(last - stopped)
    local newest = redis.call('LINDEX', KEYS[2], -1)
    local at, lasted = string.match(newest or '', '^(%d+) (%d+)$')
    if at == began then
      redis.call('LSET', KEYS[2], -1, began .. ' ' .. us(lasted + gap))
    else
      redis.call('RPUSH', KEYS[2], began .. ' ' .. us(gap))
    end
    stopped = stopped + gap
    redis.call('HSET', KEYS[1], 'stopped', us(stopped))
    touch()
  end
  return now - stopped, number
end

-- The names of what each seat and each board has: put together anew, they take as long as all the arithmetic.
local SEATS = {
  [0] = {'remaining0', 'leave0', 'quota0', 'lease0'}, {'remaining1', 'leave1', 'quota1', 'lease1'},
  {'remaining2', 'leave2', 'quota2', 'lease2'}, {'remaining3', 'leave3', 'quota3', 'lease3'},
}
local BOARDS = {[0] = {'running0', 'since0'}, {'running1', 'since1'}}

-- The match's clock as a table; nil when there is no such match. `start` is shard time, all else match time; `held` is
-- what the store has.
local function load_match()
  local flat = redis.call('HGETALL', KEYS[3])
  if #flat == 0 then return nil end
  local held = {}
  for i = 1, #flat, 2 do held[flat[i]] = flat[i + 1] end
  local match = {
    version = tonumber(held.version), public = tonumber(held.public), start = tonumber(held.start),
    over = held.over == '1', ended = tonumber(held.ended), seats = tonumber(held.seats),
    increment = tonumber(held.increment), idle = tonumber(held.idle), check = tonumber(held.check),
    outages_from = tonumber(held.outages_from), outages_to = tonumber(held.outages_to),
    bots = held.bots, rescue = tonumber(held.rescue), curtain = held.curtain == '1',
    remaining = {}, running = {}, since = {}, leave = {}, lease = {}, quota = {}, held = held,
  }
  match.clocked = match.increment ~= nil
  for seat = 0, match.seats - 1 do
    local names = SEATS[seat]
    match.remaining[seat] = tonumber(held[names[1]])
    match.leave[seat] = tonumber(held[names[2]])
    match.quota[seat] = tonumber(held[names[3]]) or LAG_QUOTA
    match.lease[seat] = tonumber(held[names[4]]) or 0
  end
  for board = 0, match.seats / 2 - 1 do
    match.running[board] = tonumber(held[BOARDS[board][1]])
    match.since[board] = tonumber(held[BOARDS[board][2]])
  end
  return match
end

-- Writes what has changed.
local function save_match(match)
  touch()
  local fields, held = {}, match.held
  local function put(name, value)
    local text = value and us(value) or ''
    if text ~= held[name] then
      fields[#fields + 1] = name
      fields[#fields + 1] = text
    end
  end
  put('version', match.version)
  put('public', match.public)
  put('over', match.over and 1 or 0)
  put('ended', match.ended)
  put('idle', match.idle)
  put('outages_to', match.outages_to)
  for seat = 0, match.seats - 1 do
    local names = SEATS[seat]
    put(names[1], match.remaining[seat])
    put(names[2], match.leave[seat])
    put(names[3], match.quota[seat])
  end
  for board = 0, match.seats / 2 - 1 do
    put(BOARDS[board][1], match.running[board])
    put(BOARDS[board][2], match.since[board])
  end
  if #fields > 0 then redis.call('HSET', KEYS[3], unpack(fields)) end
end

-- Charges the running clock of a board and starts the other side's, unless a curtain is to be lifted first
-- (libs/rules/clock.py, Clock.press), and answers how much of the delay that was measured the mover is credited
-- (LagTracker.credit).
local function press(match, board, at, measured)
  local seat = match.running[board]
  if not seat then return 0 end
  local spent, quota = at - match.since[board], match.quota[seat]
  local lag = math.min(measured, spent, LAG_PER_MOVE, quota)
  match.quota[seat] = math.min(LAG_CEILING, quota - lag + LAG_REFILL)
  match.remaining[seat] = match.remaining[seat] + match.increment - spent + lag
  match.running[board] = nil
  if not match.curtain then match.running[board] = seat % 2 == 0 and seat + 1 or seat - 1 end
  match.since[board] = at
  return lag
end

-- Starts the clock of the seat that has lifted the curtain (Clock.lift).
local function lift(match, seat, at)
  local board = math.floor(seat / 2)
  if match.clocked then match.running[board], match.since[board] = seat, at end
end

local function reading(match, seat, at)
  local board = math.floor(seat / 2)
  if match.running[board] ~= seat then return match.remaining[seat] end
  return match.remaining[seat] - (at - match.since[board])
end

-- All clocks stand as they were at that instant (Clock.stop).
local function stop(match, at)
  for seat = 0, match.seats - 1 do
    if match.clocked then match.remaining[seat] = reading(match, seat, at) end
  end
  match.running = {}
end

-- The deadline that decides, as {at, kind, seat} (libs/rules/clock.py, earliest): by instant, board, kind, seat.
local function earliest(match)
  local best
  local function consider(at, board, rank, kind, seat)
    if not at then return end
    local order = board * 100 + rank * 10 + seat
    if not best or at < best.at or (at == best.at and order < best.order) then
      best = {at = at, order = order, kind = kind, seat = seat}
    end
  end
  for board = 0, match.seats / 2 - 1 do
    local seat = match.running[board]
    if seat then consider(match.since[board] + match.remaining[seat], board, 0, 'flag', seat) end
  end
  for seat = 0, match.seats - 1 do
    consider(match.leave[seat], math.floor(seat / 2), 1, 'leave', seat)
  end
  consider(match.idle, 0, 2, 'idle', -1)
  return best
end

-- Puts the match's next deadline, or what is to be looked at before it, into the shard's ordered set, and answers its
-- match time; nil for none. Looked at is the presence after the start, and a bot that after `now` is about to lose on
-- time.
local function schedule(match, key, match_id, now)
  local next = earliest(match)
  local at = next and next.at
  if match.check and (not at or match.check < at) then at = match.check end
  for board, seat in pairs(match.running) do
    local rescue = match.since[board] + match.remaining[seat] - match.rescue
    if string.find(match.bots, us(seat), 1, true) and rescue > now and rescue < at then at = rescue end
  end
  if match.over or not at then
    redis.call('ZREM', key, match_id)
    return nil
  end
  redis.call('ZADD', key, us(match.start + at), match_id)
  return at
end

-- How many of the shard's outages had begun before that instant of the match: one that came after a deadline which was
-- noticed only then is none of the match's.
local function outages_until(match, at)
  local count = redis.call('LLEN', KEYS[2])
  while count > match.outages_from do
    local began = string.match(redis.call('LINDEX', KEYS[2], count - 1), '^(%d+)')
    if began - match.start < at then break end
    count = count - 1
  end
  return count
end

-- The stamp of a state, as services/game/stamps.py reads it: version, public version, whether this event is
-- public, epoch, match time, what each seat has left, whose clocks run, outages as at:lasted, the network delay that
-- the mover was credited; "-" for none.
local function stamp(match, at, is_public, epoch, lag)
  local remaining, running, outages = {}, {}, {}
  for seat = 0, match.seats - 1 do
    if match.clocked then
      remaining[#remaining + 1] = us(reading(match, seat, at))
      if match.running[math.floor(seat / 2)] == seat then running[#running + 1] = us(seat) end
    end
  end
  local count = match.outages_to or redis.call('LLEN', KEYS[2])
  if count > match.outages_from then
    for _, entry in ipairs(redis.call('LRANGE', KEYS[2], match.outages_from, count - 1)) do
      local began, lasted = string.match(entry, '^(%d+) (%d+)$')
      outages[#outages + 1] = us(began - match.start) .. ':' .. lasted
    end
  end
  local function list(items) return #items > 0 and table.concat(items, ',') or '-' end
  return table.concat({
    us(match.version), us(match.public), is_public and '1' or '0', epoch, us(at),
    list(remaining), list(running), list(outages), us(lag or 0),
  }, ' ')
end

-- Remembers the answer to a request, and forgets the one 64 requests of that seat ago.
local function remember(key, seat, request_id, answer)
  if request_id == '' then return end
  local count = redis.call('HINCRBY', key, seat .. '#', 1)
  local slot = seat .. '#' .. us(count % 64)
  local old = redis.call('HGET', key, slot)
  if old then redis.call('HDEL', key, seat .. ':' .. old) end
  redis.call('HSET', key, slot, request_id, seat .. ':' .. request_id, answer)
end
