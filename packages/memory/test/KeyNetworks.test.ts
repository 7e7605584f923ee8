import { assert, describe, it } from "@effect/vitest"
import { ApiKeys } from "@trailbook/core/actor"
import { ApiKeyNetworks, AuditLog, formatNetwork } from "@trailbook/core/staff"
import * as Memory from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"

const world = Layer.merge(ApiKeys.layer, AuditLog.layer).pipe(
  Layer.provideMerge(Layer.merge(TestIds.layer(1), Memory.layer))
)

/** A new instance starts with an empty map of checked networks, just as a new process does. */
const engine = Effect.map(Layer.build(Layer.fresh(ApiKeyNetworks.layer)), Context.get(ApiKeyNetworks))

const fixture = Effect.gen(function*() {
  const { id: orgId } = yield* createEmptyOrg
  const keys = yield* ApiKeys
  const audit = yield* AuditLog
  const { key } = yield* keys.create({ orgId, name: "Website" })
  const entries = Effect.map(
    audit.page({ orgId, limit: 100 }),
    (all) => all.map(({ by, name, subject, what }) => ({ by, name, subject, what }))
  )
  const entryOf = (name: string) => ({
    by: { _tag: "Key" as const, keyId: key.id },
    name,
    subject: key.id,
    what: "key.new_network" as const
  })
  return { entries, entryOf, key, orgId, keys }
})

describe("KeyNetworks", () => {
  it.scoped("records the first use of a key from each network", () =>
    Effect.gen(function*() {
      const { entries, entryOf, key } = yield* fixture
      const { recordInBackground } = yield* engine
      for (const address of ["203.0.113.7", "203.0.113.99", undefined, "::ffff:203.0.113.8", "2001:db8::1"]) {
        yield* recordInBackground(key, address)
      }
      const both = [entryOf("2001:db8:0:0::/64"), entryOf("203.0.113.0/24")]
      yield* Effect.repeat(Effect.zipLeft(entries, Effect.yieldNow()), { until: ({ length }) => length >= 2 })
      assert.sameDeepMembers([...yield* entries], both)
    }).pipe(Effect.provide(world)))

  it.scoped("adds one audit entry if several processes record the same network concurrently", () =>
    Effect.gen(function*() {
      const { entries, entryOf, key } = yield* fixture
      const engines = yield* Effect.all([engine, engine])
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, at) => engines[at % 2] ?? engines[0]),
        ({ record }) => record(key, "203.0.113.0/24"),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* entries, [entryOf("203.0.113.0/24")])
    }).pipe(Effect.provide(world)))

  it.scoped("records a network again after 30 days, separately for each key", () =>
    Effect.gen(function*() {
      const { entries, key, keys, orgId } = yield* fixture
      const { record } = yield* engine
      yield* record(key, "203.0.113.0/24")
      yield* TestClock.adjust("30 days")
      yield* record(key, "203.0.113.0/24")
      assert.lengthOf(yield* entries, 1)
      yield* TestClock.adjust("1 minute")
      yield* record(key, "203.0.113.0/24")
      assert.lengthOf(yield* entries, 2)
      const { key: other } = yield* keys.create({ orgId, name: "Other" })
      yield* record(other, "203.0.113.0/24")
      assert.lengthOf(yield* entries, 3)
    }).pipe(Effect.provide(world)))

  it("truncates IPv4 addresses to /24 and IPv6 addresses to /64", () => {
    assert.strictEqual(formatNetwork("203.0.113.7"), "203.0.113.0/24")
    assert.strictEqual(formatNetwork("::ffff:203.0.113.7"), "203.0.113.0/24")
    assert.strictEqual(formatNetwork("2001:db8:1:2:3::4"), "2001:db8:1:2::/64")
  })
})
