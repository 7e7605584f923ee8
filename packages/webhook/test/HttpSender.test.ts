/** Tests how the sender handles every kind of receiver, using `TestClock`. */
import { assert, describe, it } from "@effect/vitest"
import type { SendResult } from "@trailbook/core/webhook"
import { HttpSender } from "@trailbook/webhook"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { connect, type Socket } from "node:net"
import { delivery } from "./delivery.ts"
import { respondWith, type Sink, sink } from "./Sink.ts"

const answerWith = (status: number): SendResult => ({ _tag: "Answered", status })
const unreachable = (fault: Extract<SendResult, { _tag: "Unreachable" }>["fault"]): SendResult => ({
  _tag: "Unreachable",
  fault
})

const urlOf = ({ port }: Sink) => `http://127.0.0.1:${port}/hooks?outfitter=1`
const loopback = HttpSender.make({ allow: ["127.0.0.0/8"], userAgent: "Trailbook/0.1.0" })
const noContent = "HTTP/1.1 204 No Content\r\n\r\n"
const redirect = (port: number) => `HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`

it.scoped("the sender sends the unchanged body with its signature headers", () =>
  Effect.gen(function*() {
    const there = yield* sink(respondWith(noContent))
    const sender = yield* loopback
    const payload = delivery(urlOf(there))
    assert.deepStrictEqual(yield* sender.send(payload), answerWith(204))
    const [head = "", body] = there.received().split("\r\n\r\n")
    assert.strictEqual(body, Buffer.from(payload.body).toString("latin1"))
    const [line, ...headers] = head.split("\r\n")
    assert.strictEqual(line, "POST /hooks?outfitter=1 HTTP/1.1")
    assert.deepStrictEqual(headers.map((header) => header.replace(/(v1[=,]).*/, "$1…")), [
      `Host: 127.0.0.1:${there.port}`,
      "Service-Signature: t=1795000000,v1=…",
      "Webhook-Id: 0197a1b2-0000-7000-8000-000000000001-45",
      "Webhook-Timestamp: 1795000000",
      "Webhook-Signature: v1,…",
      "Service-Event-Id: 45",
      "Service-Event-Type: booking.held",
      "User-Agent: Trailbook/0.1.0",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(payload.body)}`,
      "Connection: keep-alive"
    ])
  }))

describe("a receiver's response", () => {
  it.scoped.each<[name: string, text: string, answer: SendResult]>([
    ["200 with a body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", answerWith(200)],
    ["204", noContent, answerWith(204)],
    ["200 without a reason phrase", "HTTP/1.1 200\r\n\r\n", answerWith(200)],
    ["200 from HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nhello", answerWith(200)],
    [
      "201 after an informational 100",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
      answerWith(201)
    ],
    ["204 after an informational 103", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + noContent, answerWith(204)],
    [
      "101, which switches to another protocol",
      "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      answerWith(101)
    ],
    ["410", "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", answerWith(410)],
    ["429", "HTTP/1.1 429 Later\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n", answerWith(429)],
    ["500", "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", answerWith(500)],
    ["200 with a body that never arrives", "HTTP/1.1 200 OK\r\nContent-Length: 10485760\r\n\r\n", answerWith(200)],
    [
      "200 with a malformed chunked body",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      answerWith(200)
    ],
    ["15 KB of headers", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(15_000)}\r\nContent-Length: 0\r\n\r\n`, answerWith(200)],
    [
      "17 KB of headers",
      `HTTP/1.1 200 OK\r\nX: ${"x".repeat(17_000)}\r\nContent-Length: 0\r\n\r\n`,
      unreachable("connection")
    ],
    ["garbage", "hello\r\n\r\n", unreachable("connection")],
    ["an SSH banner", "SSH-2.0-OpenSSH_9.9\r\n", unreachable("connection")],
    ["HTTP/0.9", "<html>", unreachable("connection")],
    ["a status line without a status code", "HTTP/1.1 OK\r\n\r\n", unreachable("connection")],
    [
      "two different content lengths",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      unreachable("connection")
    ]
  ])(
    "is reported as a status code or a connection failure: %s",
    ([, text, answer]) =>
      Effect.gen(function*() {
        const there = yield* sink(respondWith(text))
        const sender = yield* loopback
        assert.deepStrictEqual(yield* sender.send(delivery(urlOf(there))), answer)
      })
  )

  it.scoped("is not followed if it is a redirect", () =>
    Effect.gen(function*() {
      const elsewhere = yield* sink(respondWith(noContent))
      const there = yield* sink(respondWith(redirect(elsewhere.port)))
      const sender = yield* loopback
      assert.deepStrictEqual(yield* sender.send(delivery(urlOf(there))), answerWith(307))
      assert.lengthOf(elsewhere.connections, 0)
    }))

  it.scoped("is complete after its headers, even with an endless body", () =>
    Effect.gen(function*() {
      const there = yield* sink((socket) => {
        const writeMore = () => {
          while (!socket.destroyed && socket.write("x".repeat(65_536))) { /* until the buffer is full */ }
        }
        socket.write("HTTP/1.1 200 OK\r\n\r\n")
        socket.on("drain", writeMore)
        writeMore()
      })
      const sender = yield* loopback
      assert.deepStrictEqual(yield* sender.send(delivery(urlOf(there))), answerWith(200))
      yield* there.closed(0)
    }))
})

describe("a delivery fails without a retry if the receiver", () => {
  it.scoped.each<[name: string, behave: (socket: Socket) => void]>([
    ["closes the connection before it responds", (socket) => void socket.end()],
    ["resets the connection before it responds", (socket) => void socket.resetAndDestroy()],
    ["closes the connection in the middle of the status line", (socket) => void socket.end("HTTP/1.1 20")],
    ["closes the connection in the middle of the headers", (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-")]
  ])(
    "%s",
    ([, behave]) =>
      Effect.gen(function*() {
        const there = yield* sink(behave)
        const sender = yield* loopback
        assert.deepStrictEqual(yield* sender.send(delivery(urlOf(there))), unreachable("connection"))
        assert.lengthOf(there.connections, 1, "the delivery was retried")
      })
  )

  it.scoped("does not listen on the port", () =>
    Effect.gen(function*() {
      const port = yield* Effect.scoped(Effect.map(sink(), ({ port }) => port))
      const sender = yield* loopback
      assert.deepStrictEqual(yield* sender.send(delivery(`http://127.0.0.1:${port}/`)), unreachable("connection"))
    }))
})

describe("a delivery times out after 5 seconds during", () => {
  /** Sends a delivery, waits for `arrival`, and advances the clock. */
  const sendUntilTimeout = (
    sender: Effect.Effect.Success<typeof loopback>,
    url: string,
    arrival: Effect.Effect<void>
  ) =>
    Effect.gen(function*() {
      const sending = yield* Effect.fork(sender.send(delivery(url)))
      yield* arrival
      yield* TestClock.adjust("4999 millis")
      assert.isNull(sending.unsafePoll())
      yield* TestClock.adjust("1 millis")
      return yield* Fiber.join(sending)
    })
  const signal = () => {
    let resolve = () => {}
    const promise = new Promise<void>((settle) => {
      resolve = settle
    })
    return { promise, resolve }
  }

  it.scoped("a DNS lookup", () =>
    Effect.gen(function*() {
      const [lookup, cancellation] = [signal(), signal()]
      const sender = yield* HttpSender.make({}, {
        resolve: (_name, aborted) => {
          aborted.addEventListener("abort", () => cancellation.resolve())
          lookup.resolve()
          return new Promise(() => {})
        }
      })
      const url = "https://silent.example/"
      assert.deepStrictEqual(
        yield* sendUntilTimeout(sender, url, Effect.promise(() => lookup.promise)),
        unreachable("timeout")
      )
      yield* Effect.promise(() => cancellation.promise)
    }))

  it.scoped("a connection attempt", () =>
    Effect.gen(function*() {
      const dialled = signal()
      let socket: Socket | undefined
      const sender = yield* HttpSender.make({}, {
        // A lookup that never completes stalls the connection, just like a host that drops packets.
        connect: () => {
          dialled.resolve()
          return socket = connect({ host: "dropped.example", port: 443, lookup: () => {} })
        }
      })
      const answer = yield* sendUntilTimeout(sender, "https://8.8.8.8/", Effect.promise(() => dialled.promise))
      assert.deepStrictEqual(answer, unreachable("timeout"))
      assert.isTrue(socket?.destroyed)
    }))

  it.scoped("a TLS handshake", () =>
    Effect.gen(function*() {
      const there = yield* sink()
      const sender = yield* loopback
      const answer = yield* sendUntilTimeout(sender, `https://127.0.0.1:${there.port}/`, there.connected(1))
      assert.deepStrictEqual(answer, unreachable("timeout"))
      yield* there.closed(0)
    }))

  it.scoped("the wait for a response", () =>
    Effect.gen(function*() {
      const there = yield* sink()
      const sender = yield* loopback
      assert.deepStrictEqual(yield* sendUntilTimeout(sender, urlOf(there), there.connected(1)), unreachable("timeout"))
      yield* there.closed(0)
    }))

  it.scoped("headers that arrive byte by byte", () =>
    Effect.gen(function*() {
      const dripping = signal()
      const there = yield* sink((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX: ")
        let drops = 0
        const timer = setInterval(() => {
          socket.write("x")
          drops += 1
          if (drops === 3) dripping.resolve()
        }, 5)
        socket.on("close", () => clearInterval(timer))
      })
      const sender = yield* loopback
      const answer = yield* sendUntilTimeout(sender, urlOf(there), Effect.promise(() => dripping.promise))
      assert.deepStrictEqual(answer, unreachable("timeout"))
      yield* there.closed(0)
    }))
})

it.scoped("the sender closes the connection immediately if the delivery is interrupted", () =>
  Effect.gen(function*() {
    const there = yield* sink()
    const sender = yield* loopback
    const sending = yield* Effect.fork(sender.send(delivery(urlOf(there))))
    yield* there.connected(1)
    yield* Fiber.interrupt(sending)
    yield* there.closed(0)
  }))

describe("a keep-alive connection", () => {
  const other = "0197a1b2-0000-7000-8000-000000000002"
  /** A sender that keeps idle connections open during a test. */
  const patient = HttpSender.make({ allow: ["127.0.0.0/8"] }, { idleMs: 600_000 })

  it.scoped.each<[when: string, text: string]>([
    ["the response has no body", noContent],
    ["the body arrives together with the headers", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
    [
      "all chunks arrive together with the headers",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
    ]
  ])("is reused for the endpoint's next event if %s", ([, text]) =>
    Effect.gen(function*() {
      const there = yield* sink(respondWith(text))
      const sender = yield* loopback
      for (const eventId of [1, 2, 3]) yield* sender.send(delivery(urlOf(there), { eventId }))
      assert.lengthOf(there.connections, 1)
      assert.lengthOf(there.received().match(/POST /g) ?? [], 3)
    }))

  it.scoped("is never shared between endpoints or URLs", () =>
    Effect.gen(function*() {
      const there = yield* sink(respondWith(noContent))
      const sender = yield* loopback
      yield* sender.send(delivery(urlOf(there)))
      yield* sender.send(delivery(urlOf(there), { webhookId: other }))
      assert.lengthOf(there.connections, 2)
      yield* sender.send(delivery(`${urlOf(there)}&moved`))
      assert.lengthOf(there.connections, 3)
      yield* there.closed(0)
    }))

  it.scoped.each<[when: string, text: string]>([
    ["the response body is incomplete", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"],
    [
      "the response has a Connection: close header",
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    ],
    ["the response uses HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"]
  ])("is closed if %s", ([, text]) =>
    Effect.gen(function*() {
      const there = yield* sink(respondWith(text))
      const sender = yield* loopback
      yield* sender.send(delivery(urlOf(there)))
      yield* sender.send(delivery(urlOf(there)))
      assert.lengthOf(there.connections, 2)
      yield* there.closed(0)
    }))

  it.scoped("is reopened to resend the event if the receiver resets it", () =>
    Effect.gen(function*() {
      let requests = 0
      const there = yield* sink((socket) => {
        requests += 1
        // The second request uses a connection that the server has reset.
        if (requests === 2) socket.resetAndDestroy()
        else socket.write(noContent)
      })
      const sender = yield* loopback
      yield* sender.send(delivery(urlOf(there), { eventId: 1 }))
      assert.deepStrictEqual(yield* sender.send(delivery(urlOf(there), { eventId: 2 })), answerWith(204))
      assert.deepStrictEqual(
        there.received().match(/Service-Event-Id: \d/g),
        [1, 2, 2].map((id) => `Service-Event-Id: ${id}`)
      )
      assert.lengthOf(there.connections, 2)
    }))

  it.scoped("is closed if the receiver sends data between requests", () =>
    Effect.gen(function*() {
      const there = yield* sink(respondWith(noContent))
      const sender = yield* patient
      yield* sender.send(delivery(urlOf(there)))
      there.connections[0]?.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
      yield* there.closed(0)
      assert.deepStrictEqual(yield* sender.send(delivery(urlOf(there))), answerWith(204))
    }))

  it.scoped("is closed after at most 1 second without a request", () =>
    Effect.gen(function*() {
      const there = yield* sink(respondWith(noContent))
      const sender = yield* loopback
      yield* sender.send(delivery(urlOf(there)))
      yield* there.closed(0)
    }))

  it.scoped("is closed if the endpoint already has an idle connection", () =>
    Effect.gen(function*() {
      const there = yield* sink(respondWith(noContent))
      const sender = yield* patient
      const both = [1, 2].map((eventId) => sender.send(delivery(urlOf(there), { eventId })))
      yield* Effect.all(both, { concurrency: "unbounded" })
      assert.lengthOf(there.connections, 2)
      yield* Effect.race(there.closed(0), there.closed(1))
    }))

  it.scoped("is closed when the sender is closed", () =>
    Effect.gen(function*() {
      const there = yield* sink(respondWith(noContent))
      yield* Effect.scoped(Effect.flatMap(patient, (sender) => sender.send(delivery(urlOf(there)))))
      yield* there.closed(0)
    }))
})
