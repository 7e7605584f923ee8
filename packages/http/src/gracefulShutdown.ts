/** Shuts down a server without dropping requests, within a time limit. */
import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Server } from "node:http"
import { connect, Server as NetServer, type Socket } from "node:net"
import type { Connections } from "./ConnectionTracker.ts"

/**
 * Accepts connections that already reached the machine, stops listening, closes idle connections, and waits for
 * requests in flight. Requests that exceed the grace period are aborted. In all cases, the server is closed and no
 * connection is open at the end.
 */
export const gracefulShutdown = (
  server: Server,
  connections: Connections,
  grace: Duration.DurationInput
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const closed = new Promise<void>((resolve) => server.once("close", () => resolve()))
    return Effect.timeoutOption(accepted(server), Duration.times(grace, 0.5)).pipe(
      Effect.zipRight(Effect.sync(() => listenNoMore(server))),
      Effect.zipRight(quiet(connections)),
      Effect.zipRight(Effect.sync(() => endIdle(server, connections))),
      Effect.zipRight(Effect.promise(() => closed)),
      // Finalizers are uninterruptible by default.
      Effect.interruptible,
      Effect.timeoutOption(grace),
      Effect.zipRight(Effect.sync(() => cutOff(server, connections)))
    )
  })

/**
 * Stops listening without closing idle connections. HTTP's `close` does so immediately, but a request may be in
 * transit.
 */
const listenNoMore = (server: Server): void => void NetServer.prototype.close.call(server)

const endIdle = (server: Server, { open }: Connections): void => {
  server.close()
  // Node counts a connection that never sent anything as busy and would wait for it.
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
}

/** The HTTP server does not know connections that sent invalid HTTP, so all tracked sockets are destroyed. */
const cutOff = (server: Server, { open }: Connections): void => {
  if (server.listening) server.close()
  server.closeAllConnections()
  for (const socket of open) socket.destroy()
}

/**
 * Waits until all connections that are now in the accept queue were accepted, because closing would drop them. The
 * queue is FIFO, so a connection to ourselves is accepted after them. Waiting for an empty queue might never end.
 */
const accepted = (server: Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    const address = server.address()
    if (typeof address !== "object" || address === null) return resume(Effect.void)
    const last = connect(address.port, ofThisMachine[address.address] ?? address.address)
    const over = (): void => {
      server.off("connection", onConnection)
      last.destroy()
    }
    const done = (): void => {
      over()
      resume(Effect.void)
    }
    const onConnection = ({ remotePort }: Socket): void => {
      if (remotePort !== undefined && remotePort === last.localPort) done()
    }
    server.on("connection", onConnection)
    // If that connection fails, close anyway.
    last.once("error", done)
    return Effect.sync(over)
  })

/** A local address for servers that listen on all interfaces. */
const ofThisMachine: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/**
 * Waits until no more bytes are read from open connections. A connection is read one event loop turn after it is
 * accepted, so requests that already arrived may be unread.
 */
const quiet = ({ open }: Connections): Effect.Effect<unknown> => {
  const read = (): number => {
    let bytes = 0
    for (const socket of open) bytes += socket.bytesRead
    return bytes
  }
  return Effect.iterate({ turns: 0, still: 0, before: read() }, {
    while: ({ still, turns }) => still < 16 && turns < 256,
    body: ({ before, still, turns }) =>
      Effect.map(yieldToEventLoop, () => {
        const now = read()
        return { turns: turns + 1, still: now === before ? still + 1 : 0, before: now }
      })
  })
}
