import { PaymentStore } from "@trailbook/core/payment/PaymentStore"
import * as Effect from "effect/Effect"
import { among } from "../jsonParameter.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { paymentTable } from "../table/paymentTable.ts"

export const layer = storeLayer(PaymentStore, (database) => {
  const { dialect } = database
  const rows = Rows.make(database, paymentTable, "p")
  const byKeys = `${rows.select} where ${among(dialect, "p")} order by p.id, p.org_id`
  const ofBookings = `${rows.select} where ${among(dialect, "p", "booking_id")}
    order by p.org_id, p.booking_id, p.attempt`
  const withIntent = `${rows.select}
    where p.provider = $1 and p.intent = $2 and p.connection_id is not null and p.org_id = $3`
  const put = rows.put

  return {
    find: rows.ofKeys(byKeys),
    ofBookings: rows.ofKeys(ofBookings),
    lockOfBookings: rows.ofKeys(`${ofBookings}${rows.locked}`),
    withIntent: ({ intent, orgId, provider }) => rows.one(withIntent, [provider, intent, orgId]),
    put: (payments) => payments.length === 0 ? Effect.void : put(payments)
  }
})
