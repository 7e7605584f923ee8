import type { Key } from "@trailbook/core/offering/OfferingStore"
import { PaymentStore } from "@trailbook/core/payment/PaymentStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { among, forUpdate, keyColumns, keyRecord, queryFor } from "../records.ts"
import * as Table from "../Table.ts"
import { paymentTable } from "../table/paymentTable.ts"

type Row = RowOf<typeof paymentTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  PaymentStore,
  Effect.map(Database, (database) => {
    const { dialect, query } = database
    const select = `select ${list(paymentTable.columns, "p")} from ${dialect.table("payments")} p`
    const byKeys = `${select} where ${among(dialect, "p")} order by p.id, p.org_id`
    const ofBookings = `${select}
      where (p.org_id, p.booking_id) in (select org_id, id from ${dialect.records("$1", keyColumns)} as asked)
      order by p.org_id, p.booking_id, p.attempt`
    const withIntent = `${select}
      where p.provider = $1 and p.intent = $2 and p.connection_id is not null and p.org_id = $3`
    const decode = (rows: ReadonlyArray<Row>) => rows.map(paymentTable.decode)
    const read = (text: string) => (keys: ReadonlyArray<Key>) =>
      Effect.map(queryFor<Row>(database, text, keys.map(keyRecord)), decode)
    const put = Table.put(database, paymentTable)

    return PaymentStore.of({
      find: read(byKeys),
      ofBookings: read(ofBookings),
      lockOfBookings: read(`${ofBookings}${forUpdate(dialect, "p")}`),
      withIntent: ({ intent, orgId, provider }) =>
        Effect.map(
          query<Row>(withIntent, [provider, intent, orgId]),
          ([row]) => Option.map(Option.fromNullable(row), paymentTable.decode)
        ),
      put: (payments) => payments.length === 0 ? Effect.void : put(payments)
    })
  })
)
