/** Shuts down a server within a time limit, without dropping requests. */
import { yieldToEventLoop } from "@trailbook/core/concurrency"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Server } from "node:http"
import { Server as NetServer } from "node:net"
import type { ConnectionTracker } from "./ConnectionTracker.ts"

export interface Options {
  /** The time limit for the shutdown. */
  readonly grace: Duration.DurationInput
  /**
   * Whether idle connections stay open until their next request or their idle timeout. A proxy can send a request while
   * the connection is being closed, and proxies do not retry a POST on another server.
   */
  readonly keepsIdle: boolean
}

/**
 * Shuts down a server: accepts the connections that have already reached the machine, stops listening, closes idle
 * connections, and waits for requests in flight. Requests that exceed the grace period are aborted. When the effect
 * completes, the server is closed and no connections remain open.
 */
export const shutDownGracefully = (
  server: Server,
  connections: ConnectionTracker,
  { grace, keepsIdle }: Options
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const closePromise = new Promise<void>((resolve) => server.once("close", () => resolve()))
    return Effect.timeoutOption(acceptPendingAndStop(server), Duration.times(grace, 0.5)).pipe(
      Effect.zipRight(Effect.sync(() => stopListening(server))),
      Effect.zipRight(
        keepsIdle ? Effect.void : Effect.map(waitUntilQuiet(connections), () => closeIdle(server, connections))
      ),
      Effect.zipRight(Effect.promise(() => closePromise)),
      // Finalizers are uninterruptible by default, but the time limit must be able to interrupt this effect.
      Effect.interruptible,
      Effect.timeoutOption(grace),
      Effect.zipRight(Effect.sync(() => destroyConnections(server, connections)))
    )
  })

/**
 * Stops listening without closing idle connections. An HTTP server's own `close` would close them immediately, even if
 * a request is in transit.
 */
const stopListening = (server: Server): void => {
  if (server.listening) NetServer.prototype.close.call(server)
}

const closeIdle = (server: Server, { openSockets: open }: ConnectionTracker): void => {
  server.close()
  // Node treats a connection that has never sent a byte as busy and would wait for it.
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
}

/** Destroys all tracked sockets, because the HTTP server does not track connections that sent invalid HTTP. */
const destroyConnections = (server: Server, { openSockets: open }: ConnectionTracker): void => {
  server.close()
  server.closeAllConnections()
  for (const socket of open) socket.destroy()
}

/**
 * Accepts every connection in the accept queue, and then stops listening in the first turn of the event loop that
 * accepts none. Connections that arrive after that turn has polled are dropped, so the turn must be short. If every
 * turn accepts a connection, the server stops listening after 1,000 turns anyway.
 */
const acceptPendingAndStop = (server: Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    let acceptedCount = 0
    let turns = 0
    const onConnection = (): void => void acceptedCount++
    const runTurn = (startedMs: number): void => {
      const isShort = performance.now() - startedMs < 0.1
      if ((acceptedCount === 0 && isShort) || turns >= 1000) {
        stopListening(server)
        server.off("connection", onConnection)
        return resume(Effect.void)
      }
      acceptedCount = 0
      turns++
      next = setImmediate(runTurn, performance.now())
    }
    server.on("connection", onConnection)
    // The first turn might have polled before the shutdown started, so it only schedules the next one.
    let next = setImmediate(runTurn, Number.NEGATIVE_INFINITY)
    return Effect.sync(() => {
      clearImmediate(next)
      server.off("connection", onConnection)
    })
  })

/**
 * Waits until no more bytes arrive on open connections. Node reads from a connection one turn of the event loop after
 * accepting it, so requests that have already arrived may still be unread.
 */
const waitUntilQuiet = ({ openSockets: open }: ConnectionTracker): Effect.Effect<unknown> => {
  const countBytesRead = (): number => {
    let bytes = 0
    for (const socket of open) bytes += socket.bytesRead
    return bytes
  }
  return Effect.iterate({ turns: 0, quietTurns: 0, previousBytes: countBytesRead() }, {
    while: ({ quietTurns, turns }) => quietTurns < 16 && turns < 256,
    body: ({ previousBytes, quietTurns, turns }) =>
      Effect.map(yieldToEventLoop, () => {
        const bytesRead = countBytesRead()
        return {
          turns: turns + 1,
          quietTurns: bytesRead === previousBytes ? quietTurns + 1 : 0,
          previousBytes: bytesRead
        }
      })
  })
}
