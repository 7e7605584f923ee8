import * as Duration from "effect/Duration"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Probe from "./Probe.ts"
import { open, parseResponse, request, send, untilClosed } from "./rawSocket.ts"
import { errorOf, type Service, start } from "./Service.ts"

describe("the HTTP listener", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({
      rateLimit: { perSecond: 0 },
      listen: { headersTimeout: Duration.millis(300), requestTimeout: Duration.millis(600) }
    })
  })
  afterAll(() => service.close())

  const key = () => ({ Authorization: `Bearer ${service.key}`, "Content-Type": "application/json" })

  /** Asserts that a response has the standard error format and the standard headers. */
  const checkError = (answer: { readonly status: number; readonly head: string; readonly body: string }) => {
    assert.match(answer.head, /\r\nx-request-id: [\w-]+/i)
    assert.match(answer.head, /\r\ncontent-type: application\/json/i)
    return [answer.status, errorOf({ json: JSON.parse(answer.body) }).code]
  }

  it.each([
    ["not HTTP at all", "hello\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a method with spaces", "G E T / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a different protocol", "GET / SPDY/9\r\nHost: a\r\n\r\n"],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"],
    ["two lengths", "POST /v1/org HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    [
      "a length and chunks",
      "POST /v1/org HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ],
    [
      "chunks that are not the last encoding",
      "POST /v1/org HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n"
    ],
    ["an invalid length", "POST /v1/org HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"],
    ["no host", "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["two hosts", "GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n"],
    ["a duplicate host", "GET /livez HTTP/1.1\r\nHost: a\r\nhOST: a\r\nConnection: close\r\n\r\n"],
    ["an invalid host", "GET /livez HTTP/1.1\r\nHost: a b/c?d\r\nConnection: close\r\n\r\n"],
    ["an invalid target", "GET livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]
  ])("refuses an invalid request: %s", async (_, bytes) => {
    assert.deepStrictEqual(checkError(await send(service.port, bytes)), [400, "invalid_request"])
  })

  it("rejects headers over 16 KiB as too large", async () => {
    const answer = await send(service.port, request("GET /livez HTTP/1.1", { "X-Long": "a".repeat(17 * 1024) }))
    assert.deepStrictEqual(checkError(answer), [431, "too_large"])
  })

  it("refuses a request with invalid chunks", async () => {
    const answer = await send(
      service.port,
      request("POST /v1/offerings HTTP/1.1", { ...key(), "Transfer-Encoding": "chunked" }, "zz\r\n{}\r\n0\r\n\r\n")
    )
    assert.deepStrictEqual(checkError(answer), [400, "invalid_request"])
  })

  it("keeps running after a truncated body", async () => {
    const socket = await open(service.port)
    const answer = untilClosed(socket)
    socket.write(request("POST /v1/offerings HTTP/1.1", { ...key(), "Content-Length": "100" }, "{\"name\":"))
    socket.end()
    await answer
    assert.strictEqual((await service.ask("GET", "/livez")).status, 200)
  })

  it("limits the time for sending headers", async () => {
    const socket = await open(service.port)
    const answer = untilClosed(socket)
    socket.write("GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ")
    assert.deepStrictEqual(checkError(parseResponse(await answer)), [408, "request_timeout"])
  })

  it("limits the time for sending a body", async () => {
    const socket = await open(service.port)
    const answer = untilClosed(socket)
    socket.write(request("POST /v1/offerings HTTP/1.1", { ...key(), "Content-Length": "100" }, "{"))
    assert.deepStrictEqual(checkError(parseResponse(await answer)), [408, "request_timeout"])
  })

  it("serves HTTP/1.0 requests without a Host header", async () => {
    assert.strictEqual((await send(service.port, "GET /livez HTTP/1.0\r\n\r\n")).status, 200)
  })

  it("accepts an absolute request target", async () => {
    assert.strictEqual((await send(service.port, request("GET http://a/livez HTTP/1.1"))).status, 200)
  })

  it("ignores an unknown Expect header", async () => {
    const answer = await send(service.port, request("GET /livez HTTP/1.1", { Expect: "the-unexpected" }))
    assert.strictEqual(answer.status, 200)
  })

  it("answers pipelined requests in order", async () => {
    const paths = ["/livez", "/v1/nothing", "/readyz"]
    const answers = await send(
      service.port,
      paths.map((path, at) =>
        `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${at}\r\n${at === 2 ? "Connection: close\r\n" : ""}\r\n`
      ).join("")
    )
    const ids = [...`${answers.head}${answers.body}`.matchAll(/x-request-id: (\d)/g)].map((match) => match[1])
    assert.deepStrictEqual(ids, ["0", "1", "2"])
  })

  it("refuses an invalid request after responding to the previous one", async () => {
    const socket = await open(service.port)
    const answers = untilClosed(socket)
    socket.write("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    await new Promise((resolve) => socket.once("data", resolve))
    socket.write("nonsense\r\n\r\n")
    const { body, status } = parseResponse(await answers)
    assert.strictEqual(status, 200)
    assert.match(body, /^\{"status":"ok"\}HTTP\/1\.1 400 /)
  })

  it("does not replace a pending response with a refusal", async () => {
    const { gate, layer } = Probe.make()
    const probeService = await start({ registry: layer })
    const requestHead = request("POST /v1/probe/write HTTP/1.1", { Authorization: `Bearer ${probeService.key}` })
    const answer = await send(
      probeService.port,
      `${requestHead.replace("Connection: close", "Connection: keep-alive")}nonsense\r\n\r\n`
    )
    assert.isNaN(answer.status)
    gate.open()
    await probeService.close()
  })

  it("logs each refusal with a request ID and a code", () => {
    const entries = service.log.filter(({ msg }) => msg === "connection")
    assert.isAtLeast(entries.length, 14)
    for (const { code, request_id, status } of entries) {
      assert.isString(request_id)
      assert.include(["invalid_request", "too_large", "request_timeout"], code)
      assert.isAtLeast(status ?? 0, 400)
    }
  })
})
