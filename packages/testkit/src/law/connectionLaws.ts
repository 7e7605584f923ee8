import type { PaymentConnection } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { moment, origin } from "../generator/moment.ts"
import { paymentConnection } from "../generator/payment.ts"
import { type Law, lawForAll } from "./Law.ts"
import { isSameRow, makeChange, readByKey, readList, readPagesOfAllOrgs } from "./row/Entity.ts"
import { makeRowLaws } from "./row/makeRowLaws.ts"
import { assertFinds, compareById } from "./rowAssertions.ts"
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
    return rowsByOrg.flat()
  })

type SealedSecrets = Pick<PaymentConnection, "sealedKey" | "sealedNoticeSecret">

const newSecrets = FastCheck.record({
  sealedKey: FastCheck.constant("new key"),
  sealedNoticeSecret: FastCheck.constantFrom(null, "new notices")
})

/** Secrets that differ from the stored ones, because they were read before a change. */
const staleSecrets = FastCheck.constantFrom<Partial<SealedSecrets>>(
  {},
  { sealedKey: "stale" },
  { sealedNoticeSecret: "stale" }
)

const hasSameSecrets = (row: SealedSecrets, other: SealedSecrets) =>
  row.sealedKey === other.sealedKey && row.sealedNoticeSecret === other.sealedNoticeSecret

export const connectionLaws: ReadonlyArray<Law> = [
  ...makeRowLaws<PaymentConnection>({
    key: "payment-connections",
    name: "a payment connection",
    row: FastCheck.tuple(paymentConnection, FastCheck.option(moment)).map(([contents, disconnectedAt]) => ({
      ...contents,
      id: "",
      orgId: "",
      disconnectedAt
    })),
    idScope: "service",
    put: Effect.forEach(Store.paymentConnections.put),
    reads: {
      list: readList(
        Store.paymentConnections.list,
        (rows) => rows.toSorted((a, b) => a.connectedAt - b.connectedAt || compareById(a, b))
      ),
      findById: readByKey(Store.paymentConnections.findById, ({ id }) => id),
      page: readPagesOfAllOrgs(Store.paymentConnections.page)
    },
    changes: {
      seen: makeChange({
        title: "moves a connection's last-read time forward, and never backward",
        input: moment,
        apply: (target, seenTo) => Store.paymentConnections.advanceSeenTo(target, seenTo),
        update: (row, target, seenTo) => isSameRow(row, target) && row.seenTo < seenTo ? { seenTo } : {}
      }),
      reseal: makeChange({
        title: "replaces a connection's secrets only if they have not changed since they were read",
        input: FastCheck.tuple(newSecrets, staleSecrets),
        apply: (target, [secrets, stale]) => Store.paymentConnections.reseal({ ...target, ...stale }, secrets),
        update: (row, target, [secrets, stale]) =>
          isSameRow(row, target) && hasSameSecrets(row, { ...target, ...stale }) ? secrets : {}
      })
    },
    uniqueKeys: [
      {
        name: "active status",
        rejectedIn: "org",
        violation: "an org that has an active connection",
        toFields: ({ disconnectedAt }) => disconnectedAt === null ? { disconnectedAt } : undefined
      },
      { name: "ID", rejectedIn: "other-orgs", isFixed: true, toFields: ({ id }) => ({ id }) }
    ]
  }),

  lawForAll(
    "payment-connections/claim",
    "claims connections last polled before a given time, each only once, least recently polled first, up to a limit",
    FastCheck.tuple(rows, moment, FastCheck.integer({ min: 1, max: 5 })),
    function*([contents, before, limit]) {
      const all = yield* storeConnections(contents)
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
  )
]
