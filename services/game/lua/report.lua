-- Keeps a report of a line for the operator, KEYS[13] being the shard's reports. Each seat reports a line once, and
-- not more than so many of a match. Answers: unknown_match | stale_lease | already_reported | talk_too_fast | done.
local seat, lease, number, report = ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local most, kept, keep_ms = tonumber(ARGV[6]), ARGV[7], tonumber(ARGV[8])
local match = load_match()
if not match then return {'unknown_match'} end
if lease < match.lease[tonumber(seat)] then return {'stale_lease'} end
local mark = 'reported' .. seat
if redis.call('HEXISTS', KEYS[6], mark .. ':' .. number) == 1 then return {'already_reported'} end
if tonumber(redis.call('HGET', KEYS[6], mark) or '0') >= most then return {'talk_too_fast'} end
redis.call('HINCRBY', KEYS[6], mark, 1)
redis.call('HSET', KEYS[6], mark .. ':' .. number, '1')
local oldest = string.format('%.0f', math.max(0, math.floor(now_us() / 1000) - keep_ms))
redis.call('XADD', KEYS[13], 'MINID', oldest, '*', 'r', report)
redis.call('XTRIM', KEYS[13], 'MAXLEN', kept)
redis.call('PEXPIRE', KEYS[13], ARGV[8])
return {'done'}
