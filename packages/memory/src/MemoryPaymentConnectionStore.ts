import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import { PaymentConnectionStore } from "@trailbook/core/payment/PaymentConnectionStore"
import * as Effect from "effect/Effect"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, orgKey, requireRow, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(PaymentConnectionStore, ({ read, unitOfWork, write }) => ({
  put: (connection) =>
    write((tables) => {
      requireRow(tables.orgs, connection.orgId)
      return putAll(tables, [connection])
    }),
  list: (orgId) => read(({ paymentConnections }) => [...Table.range(paymentConnections, "connected", orgId)]),
  named: (id) => read(({ paymentConnections }) => Table.findBy(paymentConnections, "id", id)),
  claim: ({ before, limit, now }) =>
    unitOfWork.run(Effect.gen(function*() {
      const due = yield* read(({ paymentConnections }) =>
        takeFirst(Table.range(paymentConnections, "looked", everyOrg, { below: { at: before, id: "" } }), limit)
      )
      const claimed = due.map((connection) => ({ ...connection, lookedAt: now }))
      yield* write((tables) => putAll(tables, claimed))
      return claimed
    })),
  seen: ({ id, orgId }, seenTo) =>
    write((tables) => {
      const known = Table.get(tables.paymentConnections, orgKey(orgId, id))
      return known === undefined || known.seenTo >= seenTo ? tables : putAll(tables, [{ ...known, seenTo }])
    }),
  page: (after, limit) =>
    read(({ paymentConnections }) =>
      takeFirst(Table.range(paymentConnections, "id", everyOrg, { above: { at: 0, id: after } }), limit)
    ),
  reseal: ({ id, orgId, sealedKey, sealedNoticeSecret }, sealed) =>
    write((tables) => {
      const known = Table.get(tables.paymentConnections, orgKey(orgId, id))
      return known?.sealedKey === sealedKey && known.sealedNoticeSecret === sealedNoticeSecret
        ? putAll(tables, [{ ...known, ...sealed }])
        : tables
    })
}))

const putAll = (tables: Tables, connections: ReadonlyArray<PaymentConnection>): Tables => ({
  ...tables,
  paymentConnections: connections.reduce(Table.put, tables.paymentConnections)
})
