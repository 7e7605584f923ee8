/**
 * @since 0.1.0
 */
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * Runs a pragma on a connection. It is not kept prepared: the library keeps
 * what failed as well, and a pragma that found the file busy is tried again.
 *
 * @since 0.1.0
 * @category effects
 */
export const pragma = <Row>(connection: Connection, text: string): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
  Effect.try({
    // What goes wrong in preparing, the library throws here.
    try: (): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
      connection.executeUnprepared(`pragma ${text}`, [], undefined),
    catch: failed
  }).pipe(Effect.flatMap(Effect.mapError(({ cause }) => failed(cause))))

const failed = (cause: unknown): SqlError =>
  new SqlError({ cause, message: cause instanceof Error ? cause.message : String(cause) })
