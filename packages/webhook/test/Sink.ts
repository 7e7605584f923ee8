import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { once } from "node:events"
import { createServer, type Server, type Socket } from "node:net"
import { createServer as createSecureServer, type TlsOptions } from "node:tls"

/** A loopback server that records the text it receives. Tests choose its behavior for each connection. */
export interface Sink {
  readonly port: number
  readonly connections: Array<Socket>
  /** Returns all received text. */
  readonly received: () => string
  /** Completes after `count` connections. */
  readonly connected: (count: number) => Effect.Effect<void>
  /** Completes when the connection is closed. */
  readonly closed: (index: number) => Effect.Effect<void>
}

type Behaviour = (socket: Socket, request: string) => void

/** Calls `behave` with every received chunk. */
export const sink = (behave: Behaviour = () => {}): Effect.Effect<Sink, never, Scope.Scope> =>
  listen(createServer(), behave)

export const secureSink = (options: TlsOptions, behave: Behaviour): Effect.Effect<Sink, never, Scope.Scope> =>
  listen(createSecureServer(options), behave)

const listen = (server: Server, behave: Behaviour): Effect.Effect<Sink, never, Scope.Scope> =>
  Effect.gen(function*() {
    const connections: Array<Socket> = []
    const pieces: Array<string> = []
    server.on("connection", (socket) => {
      connections.push(socket)
      socket.on("error", () => {})
      server.emit("counted")
    })
    const isSecure = "setSecureContext" in server
    if (isSecure) server.on("tlsClientError", () => {})
    server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
      socket.on("error", () => {})
      socket.on("data", (piece) => {
        pieces.push(piece.toString("latin1"))
        behave(socket, piece.toString("latin1"))
      })
    })
    server.listen(0, "127.0.0.1")
    yield* Effect.promise(() => once(server, "listening"))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of connections) socket.destroy()
        server.close()
      })
    )
    const address = server.address()
    if (address === null || typeof address === "string") return yield* Effect.dieMessage("not listening")
    const sink: Sink = {
      port: address.port,
      connections,
      received: () => pieces.join(""),
      connected: (count) =>
        Effect.promise(async () => {
          while (connections.length < count) await once(server, "counted")
        }),
      closed: (index) =>
        Effect.async<void>((resume) => {
          const socket = connections[index]
          if (socket === undefined || socket.destroyed) resume(Effect.void)
          else socket.once("close", () => resume(Effect.void))
        })
    }
    return sink
  })

/** Responds to each request with this text. */
export const respondWith = (text: string): Behaviour => (socket) => void socket.write(text, "latin1")
