import { LedgerStore, type PaymentConnection, PaymentConnectionStore, PaymentStore } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Rows from "../Rows.ts"
import {
  forUpdateSkipLockedClause,
  keyCondition,
  makeFilterConditions,
  maxPosition,
  minPosition,
  toOrgKeyRecord
} from "../statements.ts"
import * as Table from "../Table.ts"
import { ledgerTable, paymentConnectionTable, paymentTable } from "../table/paymentTables.ts"

const paymentStore = Rows.layer(PaymentStore, paymentTable, "p", (rows, { dialect }) => {
  const byKeys = `${rows.select} where ${keyCondition(dialect, "p")} order by p.id, p.org_id`
  const ofBookings = `${rows.select} where ${keyCondition(dialect, "p", "booking_id")}
    order by p.org_id, p.booking_id, p.attempt`
  const withIntent = `${rows.select}
    where p.provider = $1 and p.intent = $2 and p.connection_id is not null and p.org_id = $3`

  return {
    find: rows.ofKeys(byKeys),
    ofBookings: rows.ofKeys(ofBookings),
    lockOfBookings: rows.ofKeys(`${ofBookings}${rows.locked}`),
    withIntent: ({ intent, orgId, provider }) => rows.one(withIntent, [provider, intent, orgId]),
    put: (payments) => payments.length === 0 ? Effect.void : rows.put(payments)
  }
})

const paymentConnectionStore = Rows.layer(
  PaymentConnectionStore,
  paymentConnectionTable,
  "c",
  (rows, { dialect, write }) => {
    const ofOrg = `${rows.select} where c.org_id = $1 order by c.connected_at, c.id`
    // These statements span all orgs. Webhook requests specify no org, and all other callers belong to the engine itself.
    const pageQuery = `${rows.select} where c.id > $1 order by c.id limit $2`
    const claim = `with due as materialized (
      select c.org_id as due_org_id, c.id as due_id from ${rows.table} c where c.looked_at < $1
      order by c.looked_at, c.id limit $3${forUpdateSkipLockedClause(dialect, "c")}
    )
    update ${rows.table} set looked_at = $2 from due where org_id = due_org_id and id = due_id
    returning ${rows.returned}`
    const markSeen = `update ${rows.table} set seen_to = $3 where org_id = $1 and id = $2 and seen_to < $3`
    const reseal = `update ${rows.table} set sealed_key = $3, sealed_notice_secret = $4
    where org_id = $1 and id = $2 and sealed_key = $5 and sealed_notice_secret is not distinct from $6`

    return {
      put: rows.putOne,
      list: (orgId) => rows.all(ofOrg, [orgId]),
      findById: rows.by("id"),
      claim: ({ before, limit, now }) =>
        Effect.map(rows.execute(claim, [before, now, limit]), (connections) => connections.toSorted(compareIds)),
      advanceSeenTo: ({ id, orgId }, to) => write(markSeen, [orgId, id, to]),
      page: (after, limit) => rows.all(pageQuery, [after, limit]),
      reseal: ({ id, orgId, sealedKey, sealedNoticeSecret }, replacement) =>
        write(reseal, [orgId, id, replacement.sealedKey, replacement.sealedNoticeSecret, sealedKey, sealedNoticeSecret])
    }
  }
)

const compareIds = (a: PaymentConnection, b: PaymentConnection): number => a.id < b.id ? -1 : 1

const ledgerStore = Rows.layer(LedgerStore, ledgerTable, "l", (rows, database) => {
  const { dialect, erase } = database
  const put = Table.put(database, ledgerTable, ["created_at"])
  const page = (filter: string) =>
    `${rows.select} where l.org_id = $1 and (l.created_at, l.id) < ($2, $3)
      and l.created_at >= $4 and l.created_at < $5${filter} order by l.created_at desc, l.id desc limit $6`
  const forgetNotes = `update ${rows.table} as l set note = '' where ${keyCondition(dialect, "l", "booking_id")}`
  return {
    find: rows.find,
    list: ({ after = maxPosition, bookingId, from = minPosition.at, limit, method, orgId, to = maxPosition.at }) => {
      const filter = makeFilterConditions({ "l.booking_id": bookingId, "l.method": method }, 7)
      return rows.all(page(filter.text), [orgId, after.at, after.id, from, to, limit, ...filter.values])
    },
    put,
    forgetNotes: (bookings) => erase(forgetNotes, [JSON.stringify(bookings.map(toOrgKeyRecord))])
  }
})

export const layer = Layer.mergeAll(paymentStore, ledgerStore, paymentConnectionStore)
