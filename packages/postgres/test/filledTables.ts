/** 20 orgs with 1,000 bookings each, in 20 offerings and 50 sessions. */
export const filledTables = [
  `orgs select 'o' || o, 'n', 'slug' || o, 'America/Denver', 'usd', 'free', null, false, null, null, 6, 20, 21, 7, null, o
    from generate_series(1, 20) o`,
  `api_keys select 'o' || o, 'k' || k || '_' || o, 'n', 'live', 'd', 'l', '[]', k, null, null, null
    from generate_series(1, 20) o, generate_series(1, 10) k`,
  `staff select 'o' || o, 's' || s, 'e' || o || '_' || s, '', true, s, 'staff'
    from generate_series(1, 20) o, generate_series(1, 50) s`,
  `sign_in_links select 'o' || o, 'd' || o || '_' || l, 's' || 1 + l % 50, null, l, l, null
    from generate_series(1, 20) o, generate_series(1, 500) l`,
  `logins select 'o' || o, 'l' || l, 's' || 1 + l % 50, 'd' || o || '_' || l, 'link', '', l, l, l, null
    from generate_series(1, 20) o, generate_series(1, 500) l`,
  `passkeys select 'o' || o, 'p' || o || '_' || p, 's' || 1 + p % 50, '', 0, '', p, null
    from generate_series(1, 20) o, generate_series(1, 500) p`,
  `passkey_challenges select 'd' || c, null, c from generate_series(1, 500) c`,
  `applications select 'a' || a, '', '[]', a, a from generate_series(1, 500) a`,
  `grants select 'o' || o, 'g' || g, 'a' || g, '', 's1', '[]', false, g, null, null
    from generate_series(1, 20) o, generate_series(1, 500) g`,
  `grant_codes select 'o' || o, 'd' || o || '_' || c, 'g' || 1 + c % 500, 'a', '', '', c, c, null
    from generate_series(1, 20) o, generate_series(1, 500) c`,
  `grant_tokens select 'o' || o, 'd' || o || '_' || t, 'g' || 1 + t % 500, 'access', '[]', t, t, null, 0
    from generate_series(1, 20) o, generate_series(1, 1000) t`,
  `audit select 'o' || o, 'a' || a, a, 'Operator', null, 'key.created', 'k', '', null
    from generate_series(1, 20) o, generate_series(1, 1000) a`,
  `offerings select 'o' || o, 'f' || f, 'class', 'n', '', '', 60, 10, 10, 4500, null, 0, 0, 365, 1, true, '{}', null, null,
    null, '[]', f, null, 3600000 from generate_series(1, 20) o, generate_series(1, 20) f`,
  `sessions select 'o' || o, 's' || s, 'f' || 1 + s % 20, s * 3600000::bigint, 3600000 + s * 3600000::bigint, null, 'scheduled', s
    from generate_series(1, 20) o, generate_series(1, 50) s`,
  `customers select 'o' || o, 'c' || c, 'e' || c || '@a.co', 'n', '', '', '{}', c, null, ' n e' || c || ' a co'
    from generate_series(1, 20) o, generate_series(1, 200) c`,
  `customer_words select 'o' || o, word, 'c' || c
    from generate_series(1, 20) o, generate_series(1, 200) c, unnest(array ['n', 'a', 'co', 'e' || c]) word`,
  `bookings select 'o' || o, 'b' || b, 'f' || 1 + b % 20, 'c' || 1 + b % 200, 's' || 1 + b % 50, b * 3600000::bigint,
    3600000 + b * 3600000::bigint, 60, 1, 1, 4500, 'r' || b, 'h' || o || '_' || b, 'api', '', '{}', b, null, null, null, null, null,
    null, 'k' || b, '', (array ['held', 'cancelled', 'confirmed', 'confirmed']) [1 + b % 4],
    case b % 4 when 0 then b end, false, null, case b % 4 when 1 then b end,
    null, null, null, null, null, false, null, null, null, null, case when b % 4 > 1 then b end, b,
    '{}', 0, 't' || o || '_' || b
    from generate_series(1, 20) o, generate_series(1, 1000) b`,
  // 10,000 endpoints. One endpoint has undelivered events, and half of all endpoints are stopped.
  `webhooks select 'o' || o, 'w' || o || '_' || w, 'https://a', '["*"]', true, 's', w, 200, null, w,
    case when o = 1 and w = 1 then 999 else 1000 end, case w % 2 when 0 then 1000 end,
    case w % 2 when 0 then 9e12::bigint end, w, null
    from generate_series(1, 20) o, generate_series(1, 500) w`,
  `event_counters select 'o' || o, 1000, o = 1 from generate_series(1, 20) o`,
  `events select 'o' || o, e, 'type' || e % 5, '{}', 'c' || 1 + e % 200, e
    from generate_series(1, 20) o, generate_series(1, 1000) e`,
  // Some of the failed tasks have failed permanently.
  `tasks select 'o' || o, 'e' || e, 'refund', (array ['money', 'mail']) [1 + e % 2], 'b' || e, e, (e % 50) / 40, null,
    case e % 50 when 40 then e end
    from generate_series(1, 20) o, generate_series(1, 1000) e`,
  `subscriptions select 'o' || o, 'n' || n, 1000, 0, null, n, null
    from generate_series(1, 20) o, generate_series(1, 500) n`,
  `request_keys select 'o' || o, 'sessions.create', 'k' || k, '', '[]', k
    from generate_series(1, 20) o, generate_series(1, 1000) k`,
  `unfinished select 'o' || o, 'session', 's' || s, 0, s, 0, 0
    from generate_series(1, 20) o, generate_series(1, 500) s`,
  `conversations select 'o' || o, 'v' || v, 'c' || v, null, null, '', 't' || o || '_' || v, 'open', '', 'm' || v, v,
    (array ['guest', 'outfitter']) [1 + v % 2], v, null, null, case when v % 40 = 0 then 9e12::bigint end, null, null, v
    from generate_series(1, 20) o, generate_series(1, 200) v`,
  `messages select 'o' || o, 'm' || m, 'v' || 1 + m % 200, 'b' || 1 + m % 1000, 'c' || 1 + m % 200, 'to_guest', '', 'wet', ' wet', '',
    'api', 'email', 'message', null, null, null, null, null, null, null, null, 'x' || o || '_' || m, null, m
    from generate_series(1, 20) o, generate_series(1, 2000) m`,
  // One in 100 files has no message.
  `files select 'o' || o, 'f' || f, 'a.jpg', 1, 'image/jpeg', f, case when f % 100 > 0 then 'm' || f / 2 end, 0
    from generate_series(1, 20) o, generate_series(1, 1000) f`
]
