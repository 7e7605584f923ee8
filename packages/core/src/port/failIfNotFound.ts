import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { notFound, type Refusal } from "../Refusal.ts"

/** Returns the row that a store found, or fails with `not_found`. */
export const failIfNotFound =
  (what: string, id: string) =>
  <Row>(rows: ReadonlyArray<Row> | Option.Option<Row>): Effect.Effect<Row, Refusal<"not_found">> => {
    const [row] = Option.isOption(rows) ? Option.toArray(rows) : rows
    return row === undefined ? notFound(what, id) : Effect.succeed(row)
  }
