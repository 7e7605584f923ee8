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
  return Effect.zipRight(arrived, closed).pipe(
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

/**
 * Two turns of the event loop: connections and requests that have already come
 * to this machine are taken in first, since closing now would cut them off.
 */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
const arrived = Effect.zipRight(turn, turn)
