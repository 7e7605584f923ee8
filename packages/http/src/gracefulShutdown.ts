/** Going down without cutting anybody off, and in time. */
import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Server } from "node:http"
import { connect, Server as NetServer, type Socket } from "node:net"
import type { Connections } from "./ConnectionTracker.ts"

/**
 * Takes in what has already come to this machine, listens no more, ends the idle
 * connections and waits for the requests in flight. Those that outlast the grace
 * are cut off; whatever happens, nobody listens when this ends and no connection
 * is open.
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
      // This runs in a finalizer, where nothing is interrupted unless it says so.
      Effect.interruptible,
      Effect.timeoutOption(grace),
      Effect.zipRight(Effect.sync(() => cutOff(server, connections)))
    )
  })

/** Without ending what is idle, as the close of HTTP's own server does at once: a request may be on its way in. */
const listenNoMore = (server: Server): void => void NetServer.prototype.close.call(server)

const endIdle = (server: Server, { open }: Connections): void => {
  server.close()
  // Node counts a connection that has never said anything as busy, and would wait for it.
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
}

/** The server knows of fewer connections than are open: not of those that said something that is no HTTP. */
const cutOff = (server: Server, { open }: Connections): void => {
  if (server.listening) server.close()
  server.closeAllConnections()
  for (const socket of open) socket.destroy()
}

/**
 * Until every connection that waits at the listener now has been taken in; closing
 * would cut them off. They are taken in the order in which they came, so a
 * connection of our own, which comes last, tells when that is. New ones may go on
 * coming for ever, so waiting until none do would not end.
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
    // Without it there is nothing better to do than to close.
    last.once("error", done)
    return Effect.sync(over)
  })

/** Where to reach what listens at every address. */
const ofThisMachine: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/**
 * Until nothing more is read from the connections that are open: what they brought
 * has come to this machine already, but a connection is read in the turn of the
 * event loop after the one that took it in.
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
