/** Tests callers that tie up resources without using them. */
import * as Duration from "effect/Duration"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { assert, describe, it, onTestFinished } from "vitest"
import type { Connection } from "../src/connection/Connection.ts"
import * as Probe from "./Probe.ts"
import { open, parseResponse, request, untilClosed } from "./rawSocket.ts"
import { type Options, type Service, start } from "./Service.ts"

const startService = async (options: Options): Promise<Service> => {
  const service = await start({ rateLimit: { perSecond: 0 }, ...options })
  onTestFinished(service.close)
  return service
}

/** Returns a list that collects the server's end of every connection that is accepted from now on. */
const serversEnds = (): ReadonlyArray<Socket> => {
  const sockets: Array<Socket> = []
  const note = (message: unknown): void => void sockets.push((message as { readonly socket: Socket }).socket)
  subscribe("net.server.socket", note)
  onTestFinished(() => void unsubscribe("net.server.socket", note))
  return sockets
}

const until = async (isReached: () => boolean): Promise<void> => {
  while (!isReached()) await new Promise((resolve) => setImmediate(resolve))
}

/** Opens a connection whose client never closes its own end. */
const deaf = async (port: number, firstBytes = ""): Promise<Socket> => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  await once(socket.on("error", () => {}), "connect")
  onTestFinished(() => void socket.destroy())
  socket.resume()
  if (firstBytes !== "") socket.write(firstBytes)
  return socket
}

const halfABody = (key: string, bytes: number): string =>
  request("POST /v1/probe/write HTTP/1.1", {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Content-Length": String(bytes)
  }, "{\"text\":\"")

describe("a connection", () => {
  it.each([
    ["that sends nothing", () => ""],
    ["that sends half a request", () => "GET /livez HT"],
    ["that sends invalid HTTP", () => "nonsense\r\n\r\n"],
    ["that sends half a body", (key: string) => halfABody(key, 100)]
  ])("%s is closed, even if the client never disconnects", async (_, bytesFor) => {
    const { headersTimeout, requestTimeout } = {
      headersTimeout: Duration.millis(100),
      requestTimeout: Duration.millis(200)
    }
    const service = await startService({ registry: Probe.make().layer, listen: { headersTimeout, requestTimeout } })
    const ends = serversEnds()
    const socket = await deaf(service.port, bytesFor(service.key))
    await once(socket, "end")
    await until(() => ends[0]?.destroyed === true)
    assert.lengthOf(ends, 1)
  })

  it("is closed if the client does not read the response", async () => {
    const service = await startService({
      listen: { handler: () => new Response("a".repeat(64 * 1024 * 1024)), stallTimeout: Duration.millis(300) }
    })
    const ends = serversEnds()
    const socket = await open(service.port)
    onTestFinished(() => void socket.destroy())
    socket.pause().on("error", () => {})
    socket.write(request("GET / HTTP/1.1"))
    await until(() => ends[0]?.destroyed === true)
    assert.lengthOf(ends, 1)
  })
})

describe("the connection limit", () => {
  const startLimited = async () => {
    const { gate, layer } = Probe.make()
    const service = await startService({ registry: layer, listen: { maxConnections: 8, maxConnectionsPerNetwork: 8 } })
    onTestFinished(gate.open)
    return { gate, service, ends: serversEnds() }
  }

  it("closes the oldest unused connections to serve new clients", async () => {
    const { ends, service } = await startLimited()
    for (let at = 0; at < 20; at++) await deaf(service.port)
    await until(() => ends.length === 20)
    for (let guest = 0; guest < 20; guest++) {
      const socket = await open(service.port)
      socket.write(request("GET /livez HTTP/1.1"))
      assert.strictEqual(parseResponse(await untilClosed(socket)).status, 200)
    }
    assert.isAtMost(ends.filter(({ destroyed }) => !destroyed).length, 8)
  })

  it("closes unused connections before those that sent a request", async () => {
    const { ends, service } = await startLimited()
    const activeSocket = await open(service.port)
    onTestFinished(() => void activeSocket.destroy())
    activeSocket.write("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    await once(activeSocket, "data")
    for (let at = 0; at < 20; at++) await deaf(service.port)
    await until(() => ends.filter(({ destroyed }) => destroyed).length === 13)
    assert.isFalse(ends[0]?.destroyed)
  })

  it("never closes a connection with a request in progress", async () => {
    const { gate, service } = await startLimited()
    const write = request("POST /v1/probe/write HTTP/1.1", {
      Authorization: `Bearer ${service.key}`,
      "Content-Type": "application/json",
      "Content-Length": "2"
    }, "{}")
    const answers = await Promise.all(Array.from({ length: 8 }, async () => {
      const socket = await open(service.port)
      socket.write(write)
      return { answer: untilClosed(socket) }
    }))
    await until(() => gate.arrived === 8)
    assert.strictEqual(await untilClosed(await open(service.port)), "")
    gate.open()
    for (const { answer } of answers) assert.strictEqual(parseResponse(await answer).status, 201)
  })
})

/** Opens sockets to a server on IPv4 from one loopback address. Each address counts as a separate network. */
const from = async (
  port: number,
  localAddress: string,
  sockets: number,
  firstBytes = ""
): Promise<ReadonlyArray<Socket>> => {
  const openSockets: Array<Socket> = []
  for (let at = 0; at < sockets; at++) {
    const socket = connect({ port, host: "127.0.0.1", localAddress })
    onTestFinished(() => void socket.destroy())
    await once(socket.on("error", () => {}), "connect")
    if (firstBytes !== "") socket.pause().write(firstBytes)
    openSockets.push(socket)
  }
  return openSockets
}

const openEnds = (ends: ReadonlyArray<Socket>): ReadonlyArray<Socket> => ends.filter(({ destroyed }) => !destroyed)

describe("the connection limit per network", () => {
  const slow = () => new Promise<Response>(() => {})

  it("is a quarter of the server's limit", async () => {
    const service = await startService({ listen: { handler: slow, maxConnections: 16 } })
    const ends = serversEnds()
    await from(service.port, "127.0.0.2", 12, request("GET / HTTP/1.1"))
    await from(service.port, "127.0.0.3", 2, request("GET / HTTP/1.1"))
    await until(() => ends.length === 14 && openEnds(ends).length === 6)
    assert.strictEqual(openEnds(ends).filter(({ remoteAddress }) => remoteAddress === "127.0.0.2").length, 4)
  })

  it("does not apply to proxies", async () => {
    const isProxy = (address: string) => address === "127.0.0.2"
    const service = await startService({ listen: { handler: slow, maxConnections: 16, isProxy } })
    const ends = serversEnds()
    await from(service.port, "127.0.0.2", 12, request("GET / HTTP/1.1"))
    await until(() => ends.length === 12)
    assert.lengthOf(openEnds(ends), 12)
  })

  it("makes room by closing a connection with an unread response", async () => {
    const handler = (request: Request) =>
      new Response(request.url.endsWith("/large") ? "a".repeat(8 * 1024 * 1024) : "")
    const service = await startService({ listen: { handler, maxConnections: 16 } })
    const ends = serversEnds()
    await from(service.port, "127.0.0.2", 4, request("GET /large HTTP/1.1"))
    await until(() => ends.length === 4 && ends.every(({ writableLength }) => writableLength > 0))
    const socket = connect({ port: service.port, host: "127.0.0.1", localAddress: "127.0.0.2" })
    socket.write(request("GET /small HTTP/1.1"))
    assert.strictEqual(parseResponse(await untilClosed(socket)).status, 200)
    assert.deepStrictEqual(ends.map(({ destroyed }) => destroyed).slice(0, 4), [true, false, false, false])
  })
})

describe("pipelined requests", () => {
  /** Creates a handler that responds only when the test lets it. */
  const makeGate = () => {
    const begun: Array<() => void> = []
    const handler = (request: Request) =>
      new Promise<Response>((resolve) => {
        begun.push(() => resolve(new Response(new URL(request.url).pathname)))
      })
    return { begun, handler }
  }
  const line = (at: number) => `GET /${at} HTTP/1.1\r\nHost: a\r\n\r\n`

  it("are processed one at a time, in order", async () => {
    const { begun, handler } = makeGate()
    const service = await startService({ listen: { handler } })
    const socket = await open(service.port)
    const responses = untilClosed(socket)
    socket.write(line(0) + line(1) + request("GET /2 HTTP/1.1"))
    for (let at = 0; at < 3; at++) {
      await until(() => begun.length > at)
      // If requests were processed concurrently, the second one would have started in the same turn.
      assert.lengthOf(begun, at + 1)
      begun[at]?.()
    }
    assert.deepStrictEqual((await responses).match(/\n\/\d/g), ["\n/0", "\n/1", "\n/2"])
  })

  it("close their connection if more than 16 of them are waiting", async () => {
    const { begun, handler } = makeGate()
    const service = await startService({ listen: { handler } })
    const few = await open(service.port)
    onTestFinished(() => void few.destroy())
    few.write(Array.from({ length: 17 }, (_, at) => line(at)).join(""))
    await until(() => begun.length === 1)
    const many = await open(service.port)
    const responses = untilClosed(many)
    many.write(Array.from({ length: 40 }, (_, at) => line(at)).join(""))
    assert.strictEqual(await responses, "")
    assert.lengthOf(begun, 2)
    assert.isFalse(few.destroyed)
  })
})

describe("unread responses", () => {
  it("are limited to 64 MiB in total", async () => {
    const megabytes = (count: number) => "a".repeat(count * 1024 * 1024)
    const handler = (request: Request, connection?: Connection) => {
      const body = request.url.endsWith("/large") ? megabytes(8) : megabytes(1)
      connection?.onWrite?.(body.length)
      return new Response(body)
    }
    const service = await startService({ listen: { handler } })
    const ends = serversEnds()
    await from(service.port, "127.0.0.2", 2, request("GET /large HTTP/1.1"))
    await from(service.port, "127.0.0.3", 20, request("GET /large HTTP/1.1"))
    const socket = await open(service.port)
    socket.write(request("GET /small HTTP/1.1"))
    assert.strictEqual(parseResponse(await untilClosed(socket)).body.length, 1024 * 1024)
    await until(() => openEnds(ends).length < 22)
    const heldBytes = openEnds(ends).reduce((sum, { writableLength }) => sum + writableLength, 0)
    // The response that is being written is not counted yet.
    assert.isAtMost(heldBytes, (64 + 8) * 1024 * 1024)
    assert.strictEqual(openEnds(ends).filter(({ remoteAddress }) => remoteAddress === "127.0.0.2").length, 2)
  })
})

describe("large incomplete bodies", () => {
  const megabyte = 1024 * 1024

  /** Opens connections and, on each one, sends everything but the end of a body. */
  const startUploads = async (service: Service, sockets: number): Promise<ReadonlyArray<Promise<string>>> => {
    const filling = "a".repeat(megabyte - 100)
    const openSockets = await Promise.all(Array.from({ length: sockets }, () => open(service.port)))
    onTestFinished(() => openSockets.forEach((socket) => void socket.destroy()))
    return openSockets.map((socket) => {
      const answer = untilClosed(socket)
      socket.write(halfABody(service.key, megabyte) + filling)
      return answer
    })
  }

  /**
   * Sends 16 large bodies and resolves once 8 of them have been rejected. `isInTime` is true if all 8 were rejected for
   * lack of memory, before any request timed out.
   */
  const full = async (registry: NonNullable<Options["registry"]>, seconds: number) => {
    const requestTimeout = Duration.seconds(seconds)
    const service = await startService({ registry, listen: { headersTimeout: requestTimeout, requestTimeout } })
    const answers = await startUploads(service, 16)
    const refusals: Array<string> = []
    for (const answer of answers) void answer.then((text) => refusals.push(text))
    await until(() => refusals.length >= 8)
    return {
      answers,
      refused: refusals,
      service,
      isInTime: refusals.every((text) => parseResponse(text).status === 429)
    }
  }

  it("are refused above 8 MiB in total per outfitter", async () => {
    const { gate, layer } = Probe.make()
    gate.open()
    let attempt = await full(layer, 1)
    // On a busy machine, sending 16 bodies can take longer than the timeout of one request.
    for (let seconds = 4; !attempt.isInTime && seconds < 60; seconds *= 3) attempt = await full(layer, seconds)
    const { answers, refused, service } = attempt
    for (const text of refused) {
      const { head, status } = parseResponse(text)
      assert.strictEqual(status, 429)
      assert.match(head, /\r\nretry-after: 5/i)
    }
    const small = await service.ask("POST", "/v1/probe/write", { body: { text: "small" } })
    assert.strictEqual(small.status, 201)
    const body = { text: "a".repeat(megabyte / 2) }
    const other = await service.ask("POST", "/v1/probe/write", { body, key: await service.strangersKey() })
    assert.strictEqual(other.status, 400)
    // Unfinished requests time out, and their memory is freed.
    await Promise.all(answers)
    const large = await service.ask("POST", "/v1/probe/write", { body })
    assert.strictEqual(large.status, 400)
  })
})
