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
 * Takes no more connections, ends the idle ones and waits for the requests in
 * flight; those that outlast the grace are cut off.
 *
 * @since 0.1.0
 * @category effects
 */
export const drain = (
  server: Server,
  sockets: ReadonlySet<Socket>,
  grace: Duration.DurationInput
): Effect.Effect<void> => {
  const closed = Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
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
 * The server's open sockets. Node counts one that has never said anything as
 * busy and would wait for it.
 *
 * @since 0.1.0
 * @category getters
 */
export const socketsOf = (server: Server): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
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
const arrived = (sockets: ReadonlySet<Socket>): Effect.Effect<unknown> => {
  const came = () => {
    let count = sockets.size
    for (const socket of sockets) count += socket.bytesRead
    return count
  }
  return Effect.iterate({ turns: 0, quiet: 0, count: came() }, {
    while: ({ quiet, turns }) => quiet < 16 && turns < 1024,
    body: ({ count, quiet, turns }) =>
      Effect.map(turn, () => {
        const now = came()
        return { turns: turns + 1, quiet: now === count ? quiet + 1 : 0, count: now }
      })
  })
}
