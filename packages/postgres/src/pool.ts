/**
 * @since 0.1.0
 */
import type { Lane } from "@trailbook/sql/Connection"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Pool, PoolClient } from "pg"
import { ConnectionLost } from "./failure.ts"
import { type ConnectionOptions, make, type PostgresConnection } from "./PostgresConnection.ts"
import type { Statement } from "./RoundTrip.ts"

/**
 * A connection of a pool until the scope closes. It goes back to the pool if it
 * is as good as new; one that was lost, or is still in a transaction, is thrown
 * away and the pool makes another.
 *
 * @since 0.1.0
 * @category constructors
 */
export const acquire = (
  pool: Pool,
  options: ConnectionOptions
): Effect.Effect<PostgresConnection, ConnectionLost, Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(restore(checkOut(pool)), (client) => {
      const connection = make(client, options)
      const giveBack = Effect.sync(() => {
        const sound = connection.isSound()
        // From one that is thrown away the database may still be heard.
        if (sound) client.off("error", heard)
        client.release(!sound)
      })
      return Effect.as(Effect.addFinalizer(() => giveBack), connection)
    })
  )

/**
 * Where transactions run that begin by these statements.
 *
 * @since 0.1.0
 * @category constructors
 */
export const lane = (
  connection: Effect.Effect<PostgresConnection, ConnectionLost, Scope.Scope>,
  begin: (tenants: ReadonlyArray<string> | undefined) => ReadonlyArray<Statement>
): Lane<PostgresConnection> => ({
  acquire: connection,
  // They are sent with the first statement.
  begin: ({ precede }, tenants) => Effect.sync(() => precede(begin(tenants))),
  // The rows that were erased are dead, and Postgres cleans up behind itself.
  wipe: () => Effect.void
})

/** Nothing is to be done. */
const heard = (): void => {}

/** Who waits for a connection may give up; it then goes to the next one. */
const checkOut = (pool: Pool): Effect.Effect<PoolClient, ConnectionLost> =>
  Effect.async((resume) => {
    let gone = false
    let given: PoolClient | undefined
    pool.connect((error, client) => {
      if (client === undefined) return resume(Effect.fail(new ConnectionLost(error)))
      if (gone) return client.release()
      given = client
      // What happens to it in our hands is told by the statement under way. Unheard it would end the process, also
      // before anybody goes on: what comes with the last word of its greeting is read at once.
      client.on("error", heard)
      resume(Effect.succeed(client))
    })
    return Effect.sync(() => {
      gone = true
      given?.off("error", heard).release()
    })
  })
