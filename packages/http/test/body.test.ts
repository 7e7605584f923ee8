import { defaultMaxBodyBytes } from "@trailbook/core/operation/Operation"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, parseResponse, request, send, untilClosed } from "./rawSocket.ts"
import { errorOf, type Service, start } from "./Service.ts"

const mebibyte = 1024 * 1024

describe("the request body", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ rateLimit: { perSecond: 0 } })
  })
  afterAll(() => service.close())

  const offering = { name: "Raft", kind: "class" }
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    service.ask("POST", "/v1/offerings", { body, headers })

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON; charset=\"utf-8\"",
    "application/json; version=1"
  ])("is parsed if its content type is %s", async (type) => {
    assert.strictEqual((await post(offering, { "content-type": type })).status, 201)
  })

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=latin1",
    "application/json, application/json",
    "application/jsonp",
    "application/merge-patch+json",
    ""
  ])("is refused if its content type is '%s'", async (type) => {
    const answer = await post(offering, { "content-type": type })
    assert.strictEqual(answer.status, 415)
    assert.strictEqual(errorOf(answer).code, "unsupported_media_type")
  })

  it("is refused if it is compressed", async () => {
    assert.strictEqual((await post(offering, { "content-encoding": "gzip" })).status, 415)
  })

  it("can be omitted with any content type", async () => {
    const { status } = await service.ask("PATCH", "/v1/org", { headers: { "content-type": "text/plain" } })
    assert.strictEqual(status, 200)
    const response = await send(
      service.port,
      request("PATCH /v1/org HTTP/1.1", {
        Authorization: `Bearer ${service.key}`,
        "Transfer-Encoding": "chunked"
      }, "0\r\n\r\n")
    )
    assert.strictEqual(response.status, 200)
    const neither = await send(
      service.port,
      request("PATCH /v1/org HTTP/1.1", { Authorization: `Bearer ${service.key}` })
    )
    assert.strictEqual(neither.status, 200)
  })

  it.each([
    ["{", "not valid JSON"],
    ["{\"name\": NaN}", "not valid JSON"],
    ["{'name': 1}", "not valid JSON"],
    [" ", "not valid JSON"],
    ["{\"name\": \"Raft\"} x", "not valid JSON"],
    ["[", "not valid JSON"],
    ["null", "must be a JSON object"],
    ["[]", "must be a JSON object"],
    ["\"name\"", "must be a JSON object"],
    ["1", "must be a JSON object"],
    ["{}", "name: is required"],
    ["{\"name\": 1, \"kind\": \"class\"}", "name: must be text"],
    ["{\"name\": null, \"kind\": \"class\"}", "name: "],
    ["{\"name\": \"\\ud800\", \"kind\": \"class\"}", "name: "],
    ["{\"name\": \"a\\u0000\", \"kind\": \"class\"}", "name: "],
    ["{\"name\": \"Raft\", \"kind\": \"class\", \"price_cents\": 1e400}", "price_cents: "],
    ["{\"name\": \"Raft\", \"kind\": \"class\", \"id\": \"x\"}", "id: is not a field"],
    ["{\"name\": \"Raft\", \"kind\": \"class\", \"__proto__\": {\"a\": 1}}", "__proto__: is not a field"],
    ["{\"name\": \"Raft\", \"kind\": \"class\", \"constructor\": 1}", "constructor: is not a field"]
  ])("is refused if it is %s", async (body, message) => {
    const answer = await post(body)
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(errorOf(answer).code, "invalid_request")
    assert.include(errorOf(answer).message, message)
  })

  it("uses the last value of a repeated field", async () => {
    const answer = await post("{\"name\": \"Raft\", \"name\": \"Canoe\", \"kind\": \"class\"}")
    assert.strictEqual((answer.json as { readonly name: string }).name, "Canoe")
  })

  it("cannot contain a field that belongs in the path", async () => {
    const id = crypto.randomUUID()
    const answer = await service.ask("PATCH", `/v1/offerings/${id}`, { body: { id } })
    assert.strictEqual(answer.status, 400)
    assert.match(errorOf(answer).message, /^id: is not a field/)
  })

  it("can start with a byte order mark", async () => {
    assert.strictEqual((await post(`\uFEFF${JSON.stringify(offering)}`)).status, 201)
  })

  it("is refused if it is nested too deeply", async () => {
    const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`
    for (
      const body of [
        deep,
        `{"name": ${deep}, "kind": "class"}`,
        `{"name": "Raft", "kind": "class", "metadata": {"a": ${deep}}}`,
        `{"nothing": ${deep}}`
      ]
    ) {
      assert.strictEqual((await post(body)).status, 400)
    }
    const booking = `{"offering_id": "${crypto.randomUUID()}", "customer": ${deep}}`
    assert.strictEqual((await service.ask("POST", "/v1/bookings", { body: booking })).status, 400)
  })

  it("is refused if it is not UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from("{\"name\": \""), Buffer.from([0xc3, 0x28]), Buffer.from("\"}")])
    const answer = await send(
      service.port,
      Buffer.concat([
        Buffer.from(request("POST /v1/offerings HTTP/1.1", {
          Authorization: `Bearer ${service.key}`,
          "Content-Type": "application/json",
          "Content-Length": String(bytes.byteLength)
        })),
        bytes
      ])
    )
    assert.strictEqual(answer.status, 400)
    assert.include(answer.body, "UTF-8")
  })

  it.each([
    ["POST", "/v1/offerings", offering, 128 * 1024],
    ["POST", "/v1/saved_replies", { title: "Towel", body: "Bring a towel." }, defaultMaxBodyBytes]
  ])(
    "is accepted by %s %s only up to the operation's limit",
    async (...row) => {
      const [method, path, value, limit] = row
      const padTo = (bytes: number) => JSON.stringify(value).padEnd(bytes)
      assert.strictEqual((await service.ask(method, path, { body: padTo(limit) })).status, 201)
      const answer = await service.ask(method, path, { body: padTo(limit + 1) })
      assert.strictEqual(answer.status, 413)
      assert.deepStrictEqual(errorOf(answer), {
        code: "too_large",
        message: `The body must be at most ${limit} bytes.`
      })
    }
  )

  it("is refused before transfer if its declared length is too large", async () => {
    const socket = await open(service.port)
    const answer = untilClosed(socket)
    socket.write(request("POST /v1/offerings HTTP/1.1", {
      Authorization: `Bearer ${service.key}`,
      "Content-Type": "application/json",
      "Content-Length": String(10 * mebibyte)
    }))
    const { status } = parseResponse(await answer)
    assert.strictEqual(status, 413)
  })

  it("without a declared length, is read only up to the limit", async () => {
    const chunk = Buffer.from(`${(64 * 1024).toString(16)}\r\n${" ".repeat(64 * 1024)}\r\n`)
    const before = process.memoryUsage().arrayBuffers
    const socket = await open(service.port)
    const answer = untilClosed(socket)
    socket.write(request("POST /v1/offerings HTTP/1.1", {
      Authorization: `Bearer ${service.key}`,
      "Content-Type": "application/json",
      "Transfer-Encoding": "chunked"
    }))
    // Sends 64 MiB as fast as the server reads it. The response arrives long before the upload ends.
    let chunkCount = 0
    while (chunkCount < 1024 && !socket.destroyed) {
      chunkCount++
      if (!socket.write(chunk)) {
        await Promise.race([
          new Promise((resolve) => socket.once("drain", resolve)),
          new Promise((resolve) => socket.once("close", resolve))
        ])
      }
    }
    socket.end()
    const { status } = parseResponse(await answer)
    assert.strictEqual(status, 413)
    assert.isBelow(process.memoryUsage().arrayBuffers - before, 32 * mebibyte)
  })

  it("is ignored for a GET or a DELETE request", async () => {
    const wrong = await send(
      service.port,
      request("GET /v1/org HTTP/1.1", { Authorization: `Bearer ${service.key}`, "Content-Length": "2" }, "{}")
    )
    assert.strictEqual(wrong.status, 400)
    const response = await send(
      service.port,
      request(
        "GET /v1/org HTTP/1.1",
        { Authorization: `Bearer ${service.key}`, "Transfer-Encoding": "chunked" },
        "0\r\n\r\n"
      )
    )
    assert.strictEqual(response.status, 400)
    const empty = await send(
      service.port,
      request("GET /v1/org HTTP/1.1", { Authorization: `Bearer ${service.key}`, "Content-Length": "0" })
    )
    assert.strictEqual(empty.status, 200)
    const path = `/v1/offerings/${crypto.randomUUID()}`
    assert.strictEqual((await service.ask("DELETE", path, { body: {} })).status, 400)
    assert.strictEqual((await service.ask("DELETE", path)).status, 404)
  })
})
