import { RequestKeys } from "@trailbook/core/port/RequestKeys"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import * as Table from "../Table.ts"
import { requestKeyTable } from "../table/requestKeyTable.ts"

type Row = RowOf<typeof requestKeyTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  RequestKeys,
  Effect.map(Database, (database) => {
    const byKey = `select ${list(requestKeyTable.columns, "k")} from ${database.dialect.table("request_keys")} k
      where k.org_id = $1 and k.operation = $2 and k.key = $3`
    const bind = Table.insert(database, requestKeyTable)

    return RequestKeys.of({
      find: ({ key, operation, orgId }) =>
        Effect.map(
          database.query<Row>(byKey, [orgId, operation, key]),
          ([row]) => Option.map(Option.fromNullable(row), requestKeyTable.decode)
        ),
      bind: (request) => bind([request])
    })
  })
)
