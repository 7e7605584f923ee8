import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { Agent, request as httpRequest } from "node:http"
import { assert, describe, it } from "vitest"
import type { Handler } from "../src/handler.ts"
import { listen } from "../src/serve.ts"
import * as Probe from "./Probe.ts"
import { open, parseResponse, request, send, untilClosed } from "./rawSocket.ts"
import { type Options, type Service, start } from "./Service.ts"

const hour = Duration.hours(1)

const withProbe = async (
  use: (service: Service, gate: Probe.Gate) => Promise<void>,
  options: NonNullable<Options["listen"]> = {}
): Promise<void> => {
  const { gate, layer } = Probe.make()
  const service = await start({ registry: layer, rateLimit: { perSecond: 0 }, listen: options })
  try {
    await use(service, gate)
  } finally {
    gate.open()
    await service.close()
  }
}

const write = (service: Service, body = "{}") =>
  request("POST /v1/probe/write HTTP/1.1", {
    Authorization: `Bearer ${service.key}`,
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
    Connection: "keep-alive"
  }, body)

describe("the HTTP server", () => {
  it("fails to start if its port is in use", async () => {
    const service = await start()
    const handler = () => new Response(null)
    const outcome = await Effect.runPromise(
      Effect.scoped(Effect.either(listen({ handler, port: service.port })))
    )
    await service.close()
    assert.isTrue(Either.isLeft(outcome))
    if (Either.isRight(outcome)) return
    assert.strictEqual(outcome.left._tag, "ListenError")
    assert.strictEqual(outcome.left.reason, "taken")
    assert.strictEqual(outcome.left.message, `Port ${service.port} on 127.0.0.1 is already in use.`)
  })

  it("sets the length of a request without a body to 0, so that reading it creates no stream", async () => {
    const requests: Array<readonly [length: string | null, body: string]> = []
    const handler: Handler = async (request) => {
      requests.push([request.headers.get("content-length"), await request.text()])
      return new Response(null)
    }
    await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { port } = yield* listen({ handler, port: 0 })
      const messages = [
        request("POST / HTTP/1.1"),
        request("DELETE / HTTP/1.1"),
        request("POST / HTTP/1.1", { "Content-Length": "2" }, "{}"),
        request("POST / HTTP/1.1", { "Transfer-Encoding": "chunked" }, "2\r\n{}\r\n0\r\n\r\n"),
        request("GET / HTTP/1.1")
      ]
      for (const message of messages) yield* Effect.promise(() => send(port, message))
    })))
    assert.deepStrictEqual(requests, [["0", ""], ["0", ""], ["2", "{}"], [null, "{}"], [null, ""]])
  })

  it("fails to start on another machine's address", async () => {
    const handler = () => new Response(null)
    const outcome = await Effect.runPromise(
      Effect.scoped(Effect.either(listen({ handler, host: "192.0.2.1", port: 0 })))
    )
    assert.isTrue(Either.isLeft(outcome) && outcome.left.reason === "unusable")
  })

  it("completes requests in progress on shutdown", () =>
    withProbe(async (service, gate) => {
      const answers = Array.from({ length: 30 }, async () => {
        const socket = await open(service.port)
        socket.write(write(service))
        return untilClosed(socket)
      })
      await gate.until(() => gate.arrived === 30)
      const shutdown = service.close()
      gate.open()
      for (const answer of answers) {
        const { body, head, status } = parseResponse(await answer)
        assert.strictEqual(status, 201)
        assert.match(head, /\r\nconnection: close/i)
        assert.deepStrictEqual(JSON.parse(body), { done: true })
      }
      await shutdown
      assert.strictEqual(gate.passed, 30)
    }))

  it("completes requests that reached the machine before the shutdown", () =>
    withProbe(async (service, gate) => {
      gate.open()
      const sockets = await Promise.all(Array.from({ length: 20 }, () => open(service.port)))
      const answers = sockets.map(untilClosed)
      for (const socket of sockets) socket.write(write(service))
      await Promise.all([service.close(), ...answers])
      for (const answer of answers) assert.strictEqual(parseResponse(await answer).status, 201)
    }))

  it("reports that it is not ready during shutdown", () =>
    withProbe(async (service, gate) => {
      const busy = await open(service.port)
      const answer = untilClosed(busy)
      busy.write(write(service))
      await gate.until(() => gate.arrived === 1)
      // This connection is halfway through sending a health check when the shutdown starts.
      const prober = await open(service.port)
      const health = untilClosed(prober)
      prober.write("GET /readyz HTTP/1.1\r\nHost: a\r\n")
      const shutdown = service.close()
      const isClosed = await open(service.port).then(
        async (socket) => {
          // Either the connection was accepted in the last turn, or the port refuses connections from now on.
          socket.destroy()
          return refusedFromNowOn(service.port)
        },
        () => true
      )
      assert.isTrue(isClosed)
      prober.write("\r\n")
      const { body, head, status } = parseResponse(await health)
      assert.strictEqual(status, 503)
      assert.match(head, /\r\nconnection: close/i)
      assert.include(body, "unavailable")
      gate.open()
      assert.strictEqual(parseResponse(await answer).status, 201)
      await shutdown
    }))

  it("serves new connections during the shutdown delay", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const handler: Handler = (_, { draining = false, leaving = false } = {}) =>
        Response.json({ draining, leaving }, { headers: draining ? { connection: "close" } : {} })
      const { port } = yield* Scope.extend(listen({ handler, port: 0, delay: "1 hour" }), scope)
      const state = Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}`)).json())
      assert.deepStrictEqual(yield* state, { draining: false, leaving: false })

      const closeFiber = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow()
      yield* TestClock.adjust("59 minutes")
      assert.deepStrictEqual(yield* state, { draining: false, leaving: true })

      const late = yield* Effect.promise(() => open(port))
      const answer = untilClosed(late)
      yield* TestClock.adjust("1 minute")
      assert.isTrue(yield* Effect.promise(() => refusedFromNowOn(port)))
      late.write(request("GET / HTTP/1.1"))
      const { body, status } = parseResponse(yield* Effect.promise(() => answer))
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(JSON.parse(body), { draining: true, leaving: true })
      // Only the client's own idle connection is left.
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(closeFiber)
    }).pipe(Effect.provide(TestContext.TestContext), Effect.runPromise))

  it("closes idle connections on shutdown", () =>
    withProbe(async (service) => {
      const agent = new Agent({ keepAlive: true })
      await new Promise<void>((resolve, reject) => {
        httpRequest({ agent, port: service.port, path: "/livez" }, (response) => {
          response.resume().once("end", () => resolve())
        }).once("error", reject).end()
      })
      const silent = await open(service.port)
      const connectionEnd = untilClosed(silent)
      // If the connections were not closed, the shutdown would wait for an hour.
      await service.close()
      await connectionEnd
      agent.destroy()
    }, { grace: hour, headersTimeout: hour, keepAliveTimeout: hour, requestTimeout: hour }))

  it("aborts requests that outlast the grace period", () =>
    withProbe(async (service, gate) => {
      const socket = await open(service.port)
      const answer = untilClosed(socket)
      socket.write(write(service))
      await gate.until(() => gate.arrived === 1)
      await service.close()
      assert.strictEqual(await answer, "")
    }, { grace: Duration.millis(50) }))

  it("completes a write even if the caller disconnects", () =>
    withProbe(async (service, gate) => {
      const socket = await open(service.port)
      socket.write(write(service))
      await gate.until(() => gate.arrived === 1)
      socket.destroy()
      // By the time the server responds to a later request, it has noticed the disconnect.
      await service.ask("GET", "/livez")
      assert.strictEqual(gate.interrupted, 0)
      gate.open()
      await gate.until(() => service.log.some(({ op, status }) => op === "probe.write" && status === 201))
      assert.strictEqual(gate.passed, 1)
    }))

  it("interrupts a read if the caller disconnects", () =>
    withProbe(async (service, gate) => {
      const socket = await open(service.port)
      socket.write(request("GET /v1/probe/read HTTP/1.1", { Authorization: `Bearer ${service.key}` }))
      await gate.until(() => gate.arrived === 1)
      socket.destroy()
      await gate.until(() => gate.interrupted === 1)
      await gate.until(() => service.log.some(({ op, status }) => op === "probe.read" && status === 499))
      assert.strictEqual(gate.passed, 0)
    }))
})

const refusedFromNowOn = async (port: number): Promise<boolean> => {
  for (;;) {
    const isRefused = await open(port).then((socket) => {
      socket.destroy()
      return false
    }, () => true)
    if (isRefused) return true
  }
}
