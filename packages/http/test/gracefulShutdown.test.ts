/** Tests shutdown while new connections arrive, with a slow disk and a short grace period. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import { assert, describe, it, onTestFinished } from "vitest"
import { listen } from "../src/serve.ts"
import { open, request, untilClosed } from "./rawSocket.ts"

const asleep = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the event loop, as a write to a slow disk would. */
const block = (millis: number): void => void Atomics.wait(asleep, 0, 0, millis)

interface Server {
  readonly port: number
  readonly responses: () => number
  readonly close: () => Promise<void>
}

const serve = async (grace: Duration.DurationInput, answerMillis: number): Promise<Server> => {
  const scope = Effect.runSync(Scope.make())
  let responses = 0
  const handler = () => {
    block(answerMillis)
    responses++
    return Response.json({ done: true })
  }
  const { port } = await Effect.runPromise(Scope.extend(listen({ handler, port: 0, grace }), scope))
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  onTestFinished(close)
  return { port, responses: () => responses, close }
}

const isRefused = (port: number): Promise<boolean> =>
  open(port).then((socket) => {
    socket.destroy()
    return false
  }, () => true)

/** Starts clients that open a new connection per request until the server stops listening. */
const stream = (port: number, clients: number) => {
  const state = { over: false }
  const sockets = new Set<Socket>()
  const client = async (): Promise<void> => {
    while (!state.over) {
      const socket = await open(port).catch(() => undefined)
      if (socket === undefined) return
      sockets.add(socket)
      const answer = untilClosed(socket)
      socket.write(request("GET / HTTP/1.1"))
      await answer
      sockets.delete(socket)
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, client))
  onTestFinished(() => {
    state.over = true
    for (const socket of sockets) socket.destroy()
  })
  return { ended }
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

describe("a shutdown under load", () => {
  it.each([[64, 3, 400], [32, 5, 300], [8, 10, 100]])(
    "ends within its grace period: %i clients, %i ms per response, a grace period of %i ms",
    async (clients, answerMillis, graceMillis) => {
      const server = await serve(Duration.millis(graceMillis), answerMillis)
      const { ended } = stream(server.port, clients)
      await until(() => server.responses() >= clients)
      await server.close()
      assert.isTrue(await isRefused(server.port))
      await ended
    }
  )

  it("waits only for requests that were sent before it", async () => {
    const server = await serve("30 seconds", 1)
    const early = await Promise.all(Array.from({ length: 40 }, () => open(server.port)))
    stream(server.port, 32)
    await until(() => server.responses() >= 32)
    const answers = early.map(untilClosed)
    for (const socket of early) socket.write(request("GET / HTTP/1.1"))
    const before = server.responses()
    await server.close()
    for (const answer of answers) assert.match(await answer, /^HTTP\/1\.1 200 /)
    // Connections keep arriving, so the shutdown stops accepting them after 1,000 turns.
    assert.isBelow(server.responses() - before, 40 + 1000 * 32)
  })

  it("closes idle and stalled connections", async () => {
    const server = await serve(Duration.millis(50), 0)
    const beginnings = ["", "GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n12", "nonsense\r\n\r\n"]
    const sockets = await Promise.all(beginnings.map(() => open(server.port)))
    const ends = sockets.map(untilClosed)
    sockets.forEach((socket, at) => socket.write(beginnings[at] ?? ""))
    await server.close()
    await Promise.all(ends)
    assert.isTrue(await isRefused(server.port))
  })
})
