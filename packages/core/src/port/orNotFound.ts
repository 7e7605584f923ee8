import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { notFound, type Refusal } from "../Refusal.ts"

/**
 * The row that a store was asked for by its key, or the refusal that there is none.
 *
 * @category checking
 */
export const orNotFound =
  (what: string, id: string) =>
  <Row>(rows: ReadonlyArray<Row> | Option.Option<Row>): Effect.Effect<Row, Refusal<"not_found">> => {
    const [row] = Option.isOption(rows) ? Option.toArray(rows) : rows
    return row === undefined ? notFound(what, id) : Effect.succeed(row)
  }
