/**
 * Questions about many things at once: they travel as the JSON array in `$1`.
 *
 * @since 0.1.0
 */
import type { Key } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import type { Columns, RecordOf } from "./Columns.ts"
import type { Database } from "./Database.ts"
import type { Dialect, Value } from "./Dialect.ts"

/**
 * Runs a query whose `$1` are records; without any it has no answer and is not
 * asked.
 *
 * @since 0.1.0
 * @category reading
 */
export const queryFor = <Row>(
  { query }: Database["Type"],
  text: string,
  records: ReadonlyArray<RecordOf<Columns>>,
  ...values: ReadonlyArray<Value>
): Effect.Effect<ReadonlyArray<Row>> =>
  records.length === 0 ? Effect.succeed([]) : query<Row>(text, [JSON.stringify(records), ...values])

const keyColumns = { org_id: "text", id: "text" } as const

/**
 * @since 0.1.0
 * @category encoding
 */
export const keyRecord = ({ id, orgId }: Key): RecordOf<typeof keyColumns> => ({ org_id: orgId, id })

/**
 * A condition: the row's key is among those in `$1`.
 *
 * @since 0.1.0
 * @category SQL
 */
export const among = ({ records }: Dialect, alias: string): string =>
  `(${alias}.org_id, ${alias}.id) in (select org_id, id from ${records("$1", keyColumns)} as asked)`
