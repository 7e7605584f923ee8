import type { OrgKey } from "@trailbook/core/offering"
import { LedgerStore, PaymentConnectionStore, PaymentStore } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { tableLayer } from "./Rows.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, putRow, toKey } from "./Tables.ts"

const paymentStore = tableLayer(PaymentStore, "payments", (payments, { read }) => {
  const ofBookings = (bookings: ReadonlyArray<OrgKey>) =>
    read((tables) =>
      [...new Set(bookings.map(toKey))].sort().flatMap((key) => Table.list(tables.payments, "ofBooking", key))
    )
  return {
    find: (keys) =>
      Effect.map(payments.findAll(keys), (rows) => rows.toSorted((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    ofBookings,
    // No lock is needed, because transactions run one at a time.
    lockOfBookings: ofBookings,
    withIntent: ({ intent, orgId, provider }) =>
      Effect.map(
        payments.findBy("intent", `${provider} ${intent}`),
        Option.filter((payment) => payment.orgId === orgId)
      ),
    put: payments.put
  }
})

const paymentConnectionStore = tableLayer(PaymentConnectionStore, "paymentConnections", (connections) => ({
  put: connections.putOne,
  list: (orgId) => connections.list("connected", orgId),
  findById: (id) => connections.findBy("id", id),
  claim: ({ before, limit, now }) =>
    connections.changeAll(
      ({ paymentConnections }) =>
        Table.list(paymentConnections, "looked", allOrgsGroup, { below: Table.toPosition(before), limit }),
      (connection) => ({ ...connection, lookedAt: now })
    ),
  advanceSeenTo: (key, seenTo) => connections.change(key, (row) => row.seenTo >= seenTo ? row : { ...row, seenTo }),
  page: (after, limit) => connections.list("id", allOrgsGroup, { above: { at: 0, id: after }, limit }),
  reseal: ({ sealedKey, sealedNoticeSecret, ...key }, replacement) =>
    connections.change(key, (row) =>
      row.sealedKey === sealedKey && row.sealedNoticeSecret === sealedNoticeSecret
        ? { ...row, ...replacement }
        : row)
}))

const ledgerStore = tableLayer(LedgerStore, "ledger", (ledger) => ({
  find: ledger.find,
  list: ({ after, bookingId, from, limit, method, orgId, to }) =>
    ledger.list(
      bookingId === undefined ? "created" : "ofBooking",
      bookingId === undefined ? orgId : toKey({ orgId, id: bookingId }),
      {
        below: after,
        order: "desc",
        limit,
        where: (entry) =>
          (method === undefined || entry.method === method) &&
          (from === undefined || entry.createdAt >= from) &&
          (to === undefined || entry.createdAt < to)
      }
    ),
  put: (entries) =>
    ledger.update((table, tables) =>
      entries.reduce((rows, entry) => {
        const { createdAt } = Table.get(rows, toKey(entry)) ?? entry
        return putRow(tables, rows, { ...entry, createdAt })
      }, table)
    ),
  forgetNotes: (bookings) =>
    ledger.update((table) =>
      bookings.flatMap((booking) => Table.list(table, "ofBooking", toKey(booking)))
        .reduce((rows, entry) => Table.put(rows, { ...entry, note: "" }), table)
    )
}))

export const layer = Layer.mergeAll(paymentStore, ledgerStore, paymentConnectionStore)
