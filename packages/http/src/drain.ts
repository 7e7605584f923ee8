/**
 * Going down without cutting anybody off.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Server } from "node:http"
import type { Socket } from "node:net"

/**
 * A server's connections.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sockets {
  readonly open: ReadonlySet<Socket>
  /** Since the beginning. */
  readonly accepted: number
}

/**
 * Takes no more connections, ends the idle ones and waits for the requests in
 * flight; those that outlast the grace are cut off.
 *
 * @since 0.1.0
 * @category effects
 */
export const drain = (
  server: Server,
  sockets: Sockets,
  grace: Duration.DurationInput
): Effect.Effect<void> => {
  const closed = Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    // Node counts a connection that has never said anything as busy, and would wait for it.
    for (const socket of sockets.open) if (socket.bytesRead === 0) socket.destroy()
  })
  return Effect.zipRight(arrived(sockets), closed).pipe(
    // This runs in a finalizer, where nothing is interrupted unless it says so.
    Effect.interruptible,
    Effect.timeoutTo({
      duration: grace,
      onSuccess: () => Effect.void,
      onTimeout: () => Effect.sync(() => server.closeAllConnections())
    }),
    Effect.flatten
  )
}

/**
 * Keeps account of a server's connections from now on.
 *
 * @since 0.1.0
 * @category constructors
 */
export const socketsOf = (server: Server): Sockets => {
  const sockets = { open: new Set<Socket>(), accepted: 0 }
  server.on("connection", (socket) => {
    sockets.accepted++
    sockets.open.add(socket)
    socket.once("close", () => sockets.open.delete(socket))
  })
  return sockets
}

const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/**
 * Connections and requests that have already come to this machine are taken in
 * first; closing now would cut them off. The event loop accepts one connection a
 * turn at most and reads it in the next, so it is given turns until a good many in
 * a row bring nothing; under a steady stream, twice as many as connections can
 * be waiting.
 */
const arrived = (sockets: Sockets): Effect.Effect<unknown> => {
  const came = () => {
    let bytes = 0
    for (const socket of sockets.open) bytes += socket.bytesRead
    return `${sockets.accepted} ${bytes}`
  }
  return Effect.iterate({ turns: 0, quiet: 0, before: came() }, {
    while: ({ quiet, turns }) => quiet < 16 && turns < 1024,
    body: ({ before, quiet, turns }) =>
      Effect.map(turn, () => {
        const now = came()
        return { turns: turns + 1, quiet: now === before ? quiet + 1 : 0, before: now }
      })
  })
}
