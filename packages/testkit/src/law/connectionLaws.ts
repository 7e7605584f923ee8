import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import { PaymentConnectionStore } from "@trailbook/core/payment/PaymentConnectionStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { moment, origin } from "../generator/moment.ts"
import { paymentConnection } from "../generator/payment.ts"
import { type Law, law } from "./Law.ts"
import { lawForAll } from "./lawForAll.ts"
import { freshId, openOrg } from "./settle.ts"

type Contents = Omit<PaymentConnection, "id" | "orgId" | "disconnectedAt">

const rows = FastCheck.array(paymentConnection, { minLength: 1, maxLength: 4 })

/** In each of two orgs these connections; all but the last are disconnected. Nobody looks at them for a law of others. */
const stored = (contents: ReadonlyArray<Contents>) =>
  Effect.gen(function*() {
    const { put } = yield* PaymentConnectionStore
    const orgs = [yield* openOrg, yield* openOrg]
    const each = orgs.map(({ id: orgId }) =>
      contents.map((row, at): PaymentConnection => ({
        ...row,
        orgId,
        id: freshId(),
        disconnectedAt: at === contents.length - 1 ? null : origin
      }))
    )
    yield* Effect.forEach(each.flat(), put, { discard: true })
    return { mine: each[0] ?? [], all: each.flat() }
  })

const oldestFirst = (connections: ReadonlyArray<PaymentConnection>) =>
  connections.toSorted((a, b) => a.connectedAt - b.connectedAt || (a.id < b.id ? -1 : 1))

const dies = (write: Effect.Effect<void, never, Storage>): Effect.Effect<void, never, Storage> =>
  Effect.map(
    Effect.exit(write),
    (exit) => assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), "it was stored")
  )

const one = (orgId: string): PaymentConnection => ({
  id: freshId(),
  orgId,
  provider: "stripe",
  mode: "test",
  accountId: "acct_1",
  name: "River Co",
  sealedKey: "sealed",
  sealedNoticeSecret: null,
  account: null,
  watchId: null,
  connectedAt: origin,
  disconnectedAt: null,
  lookedAt: Instant.max,
  seenTo: origin
})

/**
 * @category laws
 */
export const connectionLaws: ReadonlyArray<Law> = [
  lawForAll(
    "payment-connections/list",
    "an org's connections are listed as they were stored, the oldest first, and nobody else's",
    rows,
    function*(contents) {
      const { list } = yield* PaymentConnectionStore
      const { mine } = yield* stored(contents)
      assert.deepStrictEqual(yield* list(mine[0]?.orgId ?? ""), oldestFirst(mine))
      assert.deepStrictEqual(yield* list(freshId()), [])
    }
  ),

  law(
    "payment-connections/put",
    "putting a connection again replaces it, and another may follow one that has ended",
    function*() {
      const { list, put } = yield* PaymentConnectionStore
      const { id: orgId } = yield* openOrg
      const first = one(orgId)
      yield* put(first)
      const ended = { ...first, name: "Old", sealedKey: "anew", disconnectedAt: origin, watchId: "w" }
      yield* put(ended)
      const next = { ...one(orgId), connectedAt: Instant.addMinutes(origin, 1) }
      yield* put(next)
      assert.deepStrictEqual(yield* list(orgId), [ended, next])
    }
  ),

  law("payment-connections/named", "a connection is found by its id, whosever it is", function*() {
    const { named, put } = yield* PaymentConnectionStore
    const both = [one((yield* openOrg).id), one((yield* openOrg).id)]
    yield* Effect.forEach(both, put, { discard: true })
    for (const connection of both) {
      assert.deepStrictEqual(Option.getOrUndefined(yield* named(connection.id)), connection)
    }
    assert.isTrue(Option.isNone(yield* named(freshId())))
  }),

  lawForAll(
    "payment-connections/claim",
    "those that nobody has looked at since a moment are claimed once, of all orgs, the longest ago first, up to a limit",
    FastCheck.tuple(rows, moment, FastCheck.integer({ min: 1, max: 5 })),
    function*([contents, before, limit]) {
      const { claim, named, put } = yield* PaymentConnectionStore
      const { all } = yield* stored(contents)
      const due = all.filter(({ lookedAt }) => lookedAt < before).toSorted((a, b) => a.lookedAt - b.lookedAt)
      const now = Instant.max
      const first = yield* claim({ before, now, limit })
      assert.deepStrictEqual(
        first.map(({ id }) => all.find((one) => one.id === id)?.lookedAt ?? -1).sort((a, b) => a - b),
        due.slice(0, limit).map(({ lookedAt }) => lookedAt)
      )
      for (const connection of first) {
        const stored = all.find(({ id }) => id === connection.id)
        assert.deepStrictEqual(connection, { ...stored, lookedAt: now } as PaymentConnection)
        assert.deepStrictEqual(Option.getOrUndefined(yield* named(connection.id)), connection)
      }
      const rest = yield* claim({ before, now, limit: 100 })
      assert.strictEqual(new Set([...first, ...rest].map(({ id }) => id)).size, due.length)
      assert.deepStrictEqual(yield* claim({ before, now, limit: 100 }), [])
      // Nobody in another law looks at them.
      yield* Effect.forEach(all, (connection) => put({ ...connection, lookedAt: now }), { discard: true })
    }
  ),

  law(
    "payment-connections/seen",
    "up to when everything is known goes on, and never back",
    function*() {
      const { named, put, seen } = yield* PaymentConnectionStore
      const connection = one((yield* openOrg).id)
      const { id: other } = yield* openOrg
      yield* put(connection)
      const seenTo = Effect.map(named(connection.id), (found) => Option.getOrThrow(found).seenTo)
      const [later, latest] = [Instant.addMinutes(origin, 1), Instant.addMinutes(origin, 2)]
      for (const [to, is] of [[later, later], [origin, later], [latest, latest], [later, latest]] as const) {
        yield* seen(connection, to)
        assert.strictEqual(yield* seenTo, is)
      }
      yield* seen({ ...connection, orgId: other }, Instant.max)
      assert.strictEqual(yield* seenTo, latest)
    }
  ),

  law(
    "payment-connections/page",
    "all connections of all orgs are read page by page, by id",
    function*() {
      const { page, put } = yield* PaymentConnectionStore
      const before = freshId()
      const added = [one((yield* openOrg).id), one((yield* openOrg).id), one((yield* openOrg).id)] as const
      yield* Effect.forEach(added.toReversed(), put, { discard: true })
      const [first, second, third] = added
      assert.deepStrictEqual(yield* page(before, 2), [first, second])
      assert.deepStrictEqual(yield* page(second.id, 2), [third])
    }
  ),

  law(
    "payment-connections/reseal",
    "secrets are replaced unless one of them has changed, and nothing else of the connection or of another",
    function*() {
      const { named, put, reseal } = yield* PaymentConnectionStore
      const { id: other } = yield* openOrg
      const silent = one((yield* openOrg).id)
      const told = { ...one((yield* openOrg).id), sealedNoticeSecret: "notices", seenTo: Instant.max }
      for (const connection of [silent, told]) {
        yield* put(connection)
        const { sealedNoticeSecret: notices } = connection
        const anew = { sealedKey: "new key", sealedNoticeSecret: notices === null ? null : "new notices" }
        const late = { sealedKey: "late", sealedNoticeSecret: "late" }
        yield* reseal({ ...connection, orgId: other }, late)
        yield* reseal({ ...connection, sealedNoticeSecret: notices === null ? "some" : null }, late)
        yield* reseal(connection, anew)
        // Who has read it before that changes nothing.
        yield* reseal(connection, late)
        yield* reseal({ ...connection, sealedNoticeSecret: anew.sealedNoticeSecret }, late)
        assert.deepStrictEqual(Option.getOrUndefined(yield* named(connection.id)), { ...connection, ...anew })
      }
    }
  ),

  law(
    "constraints/payment-connection",
    "an org that is there has one connection that is not disconnected",
    function*() {
      const { put } = yield* PaymentConnectionStore
      const { id: orgId } = yield* openOrg
      const connection = one(orgId)
      yield* put(connection)
      yield* dies(put(one(orgId)))
      yield* dies(put(one(freshId())))
      yield* put({ ...one(orgId), disconnectedAt: origin })
      yield* dies(put({ ...one((yield* openOrg).id), id: connection.id }))
    }
  )
]
