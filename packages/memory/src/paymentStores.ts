import type { OrgKey } from "@trailbook/core/offering"
import { LedgerStore, PaymentConnectionStore, PaymentStore } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, findRows, putOrgRows, requireRow, type Tables, toOrgKey } from "./Tables.ts"

const paymentStore = storeLayer(PaymentStore, ({ read, update }) => {
  const findByBookings = (bookings: ReadonlyArray<OrgKey>) => ({ payments }: Tables) =>
    [...new Set(bookings.map(({ id, orgId }) => toOrgKey(orgId, id)))].sort().flatMap((booking) => [
      ...Table.range(payments, "ofBooking", booking)
    ])
  return {
    find: (keys) =>
      read(({ payments }) => findRows(payments, keys).toSorted((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    ofBookings: (bookings) => read(findByBookings(bookings)),
    // No lock is needed, because transactions run one at a time.
    lockOfBookings: (bookings) => read(findByBookings(bookings)),
    withIntent: ({ intent, orgId, provider }) =>
      read(({ payments }) =>
        Option.filter(
          Table.findBy(payments, "intent", `${provider} ${intent}`),
          (payment) => payment.orgId === orgId
        )
      ),
    put: (rows) =>
      update("payments", (payments, tables) => {
        for (const { bookingId, orgId } of rows) requireRow(tables.bookings, toOrgKey(orgId, bookingId))
        return rows.reduce(Table.put, payments)
      })
  }
})

const paymentConnectionStore = storeLayer(PaymentConnectionStore, ({ read, unitOfWork, update }) => ({
  put: (connection) => update("paymentConnections", (table, tables) => putOrgRows(tables, table, [connection])),
  list: (orgId) => read(({ paymentConnections }) => [...Table.range(paymentConnections, "connected", orgId)]),
  findById: (id) => read(({ paymentConnections }) => Table.findBy(paymentConnections, "id", id)),
  claim: ({ before, limit, now }) =>
    unitOfWork.run(Effect.gen(function*() {
      const dueConnections = yield* read(({ paymentConnections }) =>
        Table.takeFirst(
          Table.range(paymentConnections, "looked", allOrgsGroup, { below: { at: before, id: "" } }),
          limit
        )
      )
      const connections = dueConnections.map((connection) => ({ ...connection, lookedAt: now }))
      yield* update("paymentConnections", (table) => connections.reduce(Table.put, table))
      return connections
    })),
  advanceSeenTo: ({ id, orgId }, seenTo) =>
    update(
      "paymentConnections",
      (table) => Table.change(table, toOrgKey(orgId, id), (row) => row.seenTo >= seenTo ? row : { ...row, seenTo })
    ),
  page: (after, limit) =>
    read(({ paymentConnections }) =>
      Table.takeFirst(Table.range(paymentConnections, "id", allOrgsGroup, { above: { at: 0, id: after } }), limit)
    ),
  reseal: ({ id, orgId, sealedKey, sealedNoticeSecret }, replacement) =>
    update(
      "paymentConnections",
      (table) =>
        Table.change(table, toOrgKey(orgId, id), (row) =>
          row.sealedKey === sealedKey && row.sealedNoticeSecret === sealedNoticeSecret
            ? { ...row, ...replacement }
            : row)
    )
}))

const ledgerStore = storeLayer(LedgerStore, ({ read, update }) => ({
  find: ({ id, orgId }) => read(({ ledger }) => Table.find(ledger, toOrgKey(orgId, id))),
  list: ({ after, bookingId, from, limit, method, orgId, to }) =>
    read(({ ledger }) =>
      Table.takeFirst(
        bookingId === undefined
          ? Table.range(ledger, "created", orgId, { below: after, order: "desc" })
          : Table.range(ledger, "ofBooking", toOrgKey(orgId, bookingId), { below: after, order: "desc" }),
        limit,
        (entry) =>
          (method === undefined || entry.method === method) &&
          (from === undefined || entry.createdAt >= from) &&
          (to === undefined || entry.createdAt < to)
      )
    ),
  put: (entries) =>
    update("ledger", (ledger, tables) => {
      for (const { bookingId, orgId } of entries) requireRow(tables.bookings, toOrgKey(orgId, bookingId))
      return entries.reduce((rows, entry) => {
        const { createdAt } = Table.get(rows, toOrgKey(entry.orgId, entry.id)) ?? entry
        return Table.put(rows, { ...entry, createdAt })
      }, ledger)
    }),
  forgetNotes: (bookings) =>
    update(
      "ledger",
      (ledger) =>
        bookings.flatMap(({ id, orgId }) => [...Table.range(ledger, "ofBooking", toOrgKey(orgId, id))])
          .reduce((rows, entry) => Table.put(rows, { ...entry, note: "" }), ledger)
    )
}))

export const layer = Layer.mergeAll(paymentStore, ledgerStore, paymentConnectionStore)
