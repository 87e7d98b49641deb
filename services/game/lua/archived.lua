-- The archive has a finished match: it waits no more, and the store keeps it no longer than any other. Answers: done.
local match_id, keep_ms = ARGV[2], ARGV[3]
redis.call('ZREM', KEYS[12], match_id)
for _, key in ipairs({KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[9]}) do redis.call('PEXPIRE', key, keep_ms, 'LT') end
return {'done'}
