import { redactPath } from "@trailbook/http/response/toResponse"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"

describe("a redacted path", () => {
  it.each([
    ["http://127.0.0.1:4000/v1/booking", "/v1/booking"],
    ["http://h/v1/Bookings/", "/v1/Bookings/"],
    ["http://h/", "/"],
    ["http://h", "/"],
    ["http://h/v1/bookings/0197a1b2-0000-7000-8000-000000000002/confrm", "/v1/bookings/…/confrm"],
    ["http://h/.well-known/openid-configuration", "/.well-known/openid-configuration"],
    ["http://h/wp-login.php?user=ada@example.com#top", "/wp-login.php"],
    ["http://h/b/Jx2nA0cJ5m1q8WkVbQZr4w", "/b/…"],
    ["http://h/ada@example.com/%61da", "/…/…"],
    ["http://h/a/b/c/d/e/f/g/h/i", "/a/b/c/d/e/f/g/h/…"]
  ])("for %s is %s", (url, path) => {
    assert.strictEqual(redactPath(url), path)
  })

  it("contains no query, and no digits except in a version", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const path = redactPath(url)
        assert.match(path, /^(\/(v\d{1,2}|[A-Za-z._-]{0,40}|…))+$/)
        assert.isAtMost(path.length, 9 * 41)
      })
    )
  })

  it("contains no key, handle, or ID", () => {
    const secret = FastCheck.stringMatching(/^[\w-]{22,50}$/).filter((text) =>
      /\d/.test(text) || /[a-z][A-Z]/.test(text)
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(FastCheck.uuid(), FastCheck.emailAddress(), secret), (secret) => {
        assert.strictEqual(redactPath(`http://h/b/${encodeURIComponent(secret)}/x`), "/b/…/x")
      })
    )
  })
})
