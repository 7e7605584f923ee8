import { type Passkey, recordPasskeyUse } from "@trailbook/core/staff/passkey/Passkey"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, it } from "vitest"
import { runs } from "../../../../test/runs.ts"

const counter = FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: 0, max: 2 ** 32 - 1 }))

const passkey: Passkey = {
  id: "p",
  orgId: "o",
  staffId: "s",
  publicKey: "k",
  counter: 0,
  name: "Phone",
  createdAt: Instant.make(0),
  lastUsedAt: null
}

it("accepts only increasing signature counters, unless the device uses no counter", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.array(counter, { minLength: 1, maxLength: 12 }), (counters) => {
      let state = passkey
      const acceptedCounters: Array<number> = []
      for (const [at, counter] of counters.entries()) {
        const usedPasskey = Either.getOrUndefined(recordPasskeyUse(state, { counter, now: Instant.make(at) }))
        if (usedPasskey === undefined) continue
        state = usedPasskey
        acceptedCounters.push(counter)
        assert.deepStrictEqual([state.counter, state.lastUsedAt], [counter, at])
      }
      const positive = acceptedCounters.filter((one) => one > 0)
      assert.deepStrictEqual(positive, [...new Set(positive)].toSorted((a, b) => a - b))
      // Once a counter has been used, credentials without a counter are rejected.
      const first = acceptedCounters.findIndex((one) => one > 0)
      assert.isTrue(first === -1 || acceptedCounters.slice(first).every((one) => one > 0))
      assert.strictEqual(acceptedCounters.length > 0 && acceptedCounters[0] === 0, counters[0] === 0)
    }),
    { numRuns: runs(500, 50) }
  )
})
