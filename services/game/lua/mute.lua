-- Whether a seat hears its partner from now on. Answers: unknown_match | stale_lease | done.
local seat, lease, on = ARGV[2], tonumber(ARGV[3]), ARGV[4]
local match = load_match()
if not match then return {'unknown_match'} end
if lease < match.lease[tonumber(seat)] then return {'stale_lease'} end
redis.call('HSET', KEYS[6], 'mute' .. seat, on)
return {'done'}
