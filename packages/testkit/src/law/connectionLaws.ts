import type { PaymentConnection } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment, origin } from "../generator/moment.ts"
import { paymentConnection } from "../generator/payment.ts"
import { type Law, law, lawForAll } from "./Law.ts"
import { assertDies, assertFinds, assertFindsNothing, compareById } from "./rowAssertions.ts"
import { createEmptyOrg, newId } from "./seedOrg.ts"
import * as Store from "./Store.ts"

type Contents = Omit<PaymentConnection, "id" | "orgId" | "disconnectedAt">

const rows = FastCheck.array(paymentConnection, { minLength: 1, maxLength: 4 })

/** Stores these connections in each of two orgs. In each org, all but the last connection are disconnected. */
const storeConnections = (contents: ReadonlyArray<Contents>) =>
  Effect.gen(function*() {
    const orgs = [yield* createEmptyOrg, yield* createEmptyOrg]
    const rowsByOrg = orgs.map(({ id: orgId }) =>
      contents.map((row, at): PaymentConnection => ({
        ...row,
        orgId,
        id: newId(),
        disconnectedAt: at === contents.length - 1 ? null : origin
      }))
    )
    yield* Effect.forEach(rowsByOrg.flat(), Store.paymentConnections.put, { discard: true })
    return { ownRows: rowsByOrg[0] ?? [], all: rowsByOrg.flat() }
  })

const makeConnection = (orgId: string): PaymentConnection => ({
  id: newId(),
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

/** A connection of a new org. */
const newConnection = Effect.map(createEmptyOrg, ({ id }) => makeConnection(id))

export const connectionLaws: ReadonlyArray<Law> = [
  lawForAll(
    "payment-connections/list",
    "lists an org's connections unchanged, oldest first",
    rows,
    function*(contents) {
      const { ownRows } = yield* storeConnections(contents)
      assert.deepStrictEqual(
        yield* Store.paymentConnections.list(ownRows[0]?.orgId ?? ""),
        ownRows.toSorted((a, b) => a.connectedAt - b.connectedAt || compareById(a, b))
      )
      assert.deepStrictEqual(yield* Store.paymentConnections.list(newId()), [])
    }
  ),

  law(
    "payment-connections/put",
    "replaces a stored connection, and allows a new connection once the old one is disconnected",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      const first = makeConnection(orgId)
      yield* Store.paymentConnections.put(first)
      const endedConnection = { ...first, name: "Old", sealedKey: "anew", disconnectedAt: origin, watchId: "w" }
      yield* Store.paymentConnections.put(endedConnection)
      const next = { ...makeConnection(orgId), connectedAt: Instant.addMinutes(origin, 1) }
      yield* Store.paymentConnections.put(next)
      assert.deepStrictEqual(yield* Store.paymentConnections.list(orgId), [endedConnection, next])
    }
  ),

  law("payment-connections/named", "finds a connection by its ID in any org", function*() {
    const connections = [yield* newConnection, yield* newConnection]
    yield* Effect.forEach(connections, Store.paymentConnections.put, { discard: true })
    for (const connection of connections) {
      yield* assertFinds(Store.paymentConnections.findById(connection.id), connection)
    }
    yield* assertFindsNothing(Store.paymentConnections.findById(newId()))
  }),

  lawForAll(
    "payment-connections/claim",
    "claims connections last polled before a given time, each only once, least recently polled first, up to a limit",
    FastCheck.tuple(rows, moment, FastCheck.integer({ min: 1, max: 5 })),
    function*([contents, before, limit]) {
      const { all } = yield* storeConnections(contents)
      const due = all.filter(({ lookedAt }) => lookedAt < before).toSorted((a, b) => a.lookedAt - b.lookedAt)
      const now = Instant.max
      const first = yield* Store.paymentConnections.claim({ before, now, limit })
      assert.deepStrictEqual(
        first.map(({ id }) => all.find((connection) => connection.id === id)?.lookedAt ?? -1).sort((a, b) => a - b),
        due.slice(0, limit).map(({ lookedAt }) => lookedAt)
      )
      for (const connection of first) {
        const storedRow = all.find(({ id }) => id === connection.id)
        assert.deepStrictEqual(connection, { ...storedRow, lookedAt: now } as PaymentConnection)
        yield* assertFinds(Store.paymentConnections.findById(connection.id), connection)
      }
      const second = yield* Store.paymentConnections.claim({ before, now, limit: 100 })
      assert.strictEqual(new Set([...first, ...second].map(({ id }) => id)).size, due.length)
      assert.deepStrictEqual(yield* Store.paymentConnections.claim({ before, now, limit: 100 }), [])
      // Prevent other laws from claiming the connections.
      yield* Effect.forEach(all, (connection) => Store.paymentConnections.put({ ...connection, lookedAt: now }), {
        discard: true
      })
    }
  ),

  law(
    "payment-connections/seen",
    "never moves a connection's last-read time backward",
    function*() {
      const connection = yield* newConnection
      const { id: other } = yield* createEmptyOrg
      yield* Store.paymentConnections.put(connection)
      const seenTo = Effect.map(
        Store.paymentConnections.findById(connection.id),
        (row) => Option.getOrThrow(row).seenTo
      )
      const [later, latest] = [Instant.addMinutes(origin, 1), Instant.addMinutes(origin, 2)]
      for (const [to, expected] of [[later, later], [origin, later], [latest, latest], [later, latest]] as const) {
        yield* Store.paymentConnections.advanceSeenTo(connection, to)
        assert.strictEqual(yield* seenTo, expected)
      }
      yield* Store.paymentConnections.advanceSeenTo({ ...connection, orgId: other }, Instant.max)
      assert.strictEqual(yield* seenTo, latest)
    }
  ),

  law(
    "payment-connections/page",
    "returns all orgs' connections in pages, ordered by ID",
    function*() {
      const firstCursor = newId()
      const connections = [yield* newConnection, yield* newConnection, yield* newConnection] as const
      yield* Effect.forEach(connections.toReversed(), Store.paymentConnections.put, { discard: true })
      const [first, second, third] = connections
      assert.deepStrictEqual(yield* Store.paymentConnections.page(firstCursor, 2), [first, second])
      assert.deepStrictEqual(yield* Store.paymentConnections.page(second.id, 2), [third])
    }
  ),

  law(
    "payment-connections/reseal",
    "replaces a connection's secrets only if they have not changed since they were read",
    function*() {
      const { id: other } = yield* createEmptyOrg
      const bareConnection = yield* newConnection
      const fullConnection = {
        ...yield* newConnection,
        sealedNoticeSecret: "notices",
        seenTo: Instant.max
      }
      for (const connection of [bareConnection, fullConnection]) {
        yield* Store.paymentConnections.put(connection)
        const { sealedNoticeSecret: notices } = connection
        const newSecrets = { sealedKey: "new key", sealedNoticeSecret: notices === null ? null : "new notices" }
        const staleSecrets = { sealedKey: "late", sealedNoticeSecret: "late" }
        yield* Store.paymentConnections.reseal({ ...connection, orgId: other }, staleSecrets)
        yield* Store.paymentConnections.reseal(
          { ...connection, sealedNoticeSecret: notices === null ? "some" : null },
          staleSecrets
        )
        yield* Store.paymentConnections.reseal(connection, newSecrets)
        // A stale read must not overwrite a newer value.
        yield* Store.paymentConnections.reseal(connection, staleSecrets)
        yield* Store.paymentConnections.reseal(
          { ...connection, sealedNoticeSecret: newSecrets.sealedNoticeSecret },
          staleSecrets
        )
        yield* assertFinds(Store.paymentConnections.findById(connection.id), {
          ...connection,
          ...newSecrets
        })
      }
    }
  ),

  law(
    "constraints/payment-connection",
    "allows at most one active connection per org",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      const connection = makeConnection(orgId)
      yield* Store.paymentConnections.put(connection)
      yield* assertDies(Store.paymentConnections.put(makeConnection(orgId)))
      yield* assertDies(Store.paymentConnections.put(makeConnection(newId())))
      yield* Store.paymentConnections.put({ ...makeConnection(orgId), disconnectedAt: origin })
      yield* assertDies(Store.paymentConnections.put({ ...yield* newConnection, id: connection.id }))
    }
  )
]
