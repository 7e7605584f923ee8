import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import * as TokenBuckets from "../src/limit/TokenBuckets.ts"

/** Reimplements the limit by counting the tokens granted in every window that ends now. */
const admits = (grantTimes: ReadonlyArray<number>, now: number, burst: number, perSecond: number): boolean =>
  // A bucket that was full at the start of the window has `burst` tokens plus the refill. No window may grant more.
  grantTimes.every((from, index) => grantTimes.length - index + 1 <= burst + ((now - from) / 1000) * perSecond + 1e-6)

describe("TokenBuckets", () => {
  const runs = FastCheck.record({
    burst: FastCheck.integer({ min: 1, max: 20 }),
    perSecond: FastCheck.integer({ min: 1, max: 50 }),
    waits: FastCheck.array(FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: 0, max: 500 })), {
      maxLength: 80
    })
  })

  it("allows a request only if no time window would exceed the limit", () => {
    FastCheck.assert(FastCheck.property(runs, ({ burst, perSecond, waits }) => {
      const buckets = TokenBuckets.make({ burst, perSecond })
      const grantTimes: Array<number> = []
      let now = 1_000_000
      for (const wait of waits) {
        now += wait
        const { allowed } = buckets.take("key", now)
        assert.strictEqual(allowed, admits(grantTimes, now, burst, perSecond))
        if (allowed) grantTimes.push(now)
      }
    }))
  })

  it("allows a caller's next request after the reported wait time", () => {
    FastCheck.assert(FastCheck.property(runs, ({ burst, perSecond, waits }) => {
      const buckets = TokenBuckets.make({ burst, perSecond })
      let now = 1_000_000
      for (const wait of waits) {
        now += wait
        const attempt = buckets.take("key", now)
        if (attempt.allowed) continue
        now += attempt.retrySeconds * 1000
        assert.isTrue(buckets.take("key", now).allowed)
      }
    }))
  })

  it("limits each key separately", () => {
    const buckets = TokenBuckets.make({ burst: 1, perSecond: 1 })
    assert.isTrue(buckets.take("a", 0).allowed)
    assert.isFalse(buckets.take("a", 0).allowed)
    assert.isTrue(buckets.take("b", 0).allowed)
  })

  it("neither adds nor removes tokens when the clock moves backward", () => {
    const buckets = TokenBuckets.make({ burst: 2, perSecond: 1 })
    assert.strictEqual(buckets.take("a", 10_000).remaining, 1)
    assert.strictEqual(buckets.take("a", 0).remaining, 0)
    assert.isFalse(buckets.take("a", 0).allowed)
    assert.isTrue(buckets.take("a", 1000).allowed)
  })

  it("uses bounded memory for any number of keys", () => {
    const buckets = TokenBuckets.make({ burst: 1, perSecond: 1 })
    assert.isTrue(buckets.take("first", 0).allowed)
    for (let key = 1; key < 10_000; key++) buckets.take(String(key), 0)
    assert.isFalse(buckets.take("first", 0).allowed)
    buckets.take("one more", 0)
    // The oldest bucket was evicted, so its key starts over.
    assert.isTrue(buckets.take("first", 0).allowed)
  })
})
