/**
 * Tests file uploads over real HTTP: which files are accepted or rejected, and that rejected files leave nothing
 * behind.
 */
import { Files, FilesFailed } from "@trailbook/core/file"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { open, parseResponse, request, send, untilClosed } from "./rawSocket.ts"
import { errorOf, type Service, start } from "./Service.ts"

const mebibyte = 1024 * 1024

const jpeg = (...about: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...about,
    Buffer.from([0xff, 0xc0, 0, 4, 1, 2, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9])
  ])

const place = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 19]), Buffer.from("Exif\0\x0038.53N 105W")])

const pdf = (bytes: number): Buffer<ArrayBuffer> => Buffer.alloc(bytes, "%PDF-1.7\n")

const boundary = "----river"

const part = (head: string, body: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(body as string), Buffer.from("\r\n")])

const filePart = (bytes: Buffer, name = "photo.jpg"): Buffer =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/gif`, bytes)

const form = (...parts: ReadonlyArray<Buffer>): Buffer => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])

describe("the attachment routes", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ rateLimit: { perSecond: 0 } })
  })
  afterAll(() => service.close())
  beforeEach(() => Effect.runPromise(service.shelf.refuse(false)))

  const head = (extraHeaders: Record<string, string> = {}) => ({
    Authorization: `Bearer ${service.key}`,
    "Content-Type": `multipart/form-data; boundary=${boundary}`,
    ...extraHeaders
  })
  const post = async (body: Buffer, extraHeaders: Record<string, string> = {}) => {
    const line = request(
      "POST /v1/attachments HTTP/1.1",
      head({ "Content-Length": String(body.length), ...extraHeaders })
    )
    const answer = await send(service.port, Buffer.concat([Buffer.from(line), body]))
    return { ...answer, json: JSON.parse(answer.body) as unknown }
  }
  const upload = async (body: Buffer) => {
    const { json, status } = await post(body)
    assert.strictEqual(status, 201, JSON.stringify(json))
    return json as { readonly id: string; readonly name: string; readonly size: number; readonly type: string }
  }
  const shelf = () => Effect.runPromise(service.shelf.contents)
  /** Counts the files in the database and in storage. */
  const count = async () => {
    const rows = await Effect.runPromise(
      Effect.flatMap(service.store.removeUnused(Instant.min, 1000), () => Effect.succeed(0))
    )
    return rows + (await shelf()).size
  }
  const get = (id: string, key = service.key, method = "GET") =>
    fetch(`${service.url}/api/attachments/${id}`, { method, headers: { authorization: `Bearer ${key}` } })

  it("store a photo without its location metadata", async () => {
    const { id, ...file } = await upload(form(filePart(jpeg(place), "IMG 1.jpg")))
    assert.deepStrictEqual(file, { name: "IMG 1.jpg", size: jpeg().length, type: "image/jpeg" })
    const response = await get(id)
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(Buffer.from(await response.arrayBuffer()), jpeg())
    const headers = Object.fromEntries(response.headers)
    assert.strictEqual(headers["content-type"], "image/jpeg")
    assert.strictEqual(headers["content-length"], String(jpeg().length))
    assert.strictEqual(headers["x-content-type-options"], "nosniff")
    assert.strictEqual(headers["content-security-policy"], "default-src 'none'; sandbox")
    assert.strictEqual(headers["content-disposition"], "inline; filename=\"IMG 1.jpg\"; filename*=UTF-8''IMG%201.jpg")
    assert.include(headers["cache-control"], "private")
    assert.isString(headers["x-request-id"])
  })

  it("serve a document as a download", async () => {
    const { id, name, type } = await upload(form(filePart(pdf(100), "../../Zoë %22s; filename=x.exe/наряд.pdf")))
    assert.strictEqual(type, "application/pdf")
    assert.strictEqual(name, "наряд.pdf")
    const header = (await get(id)).headers.get("content-disposition") ?? ""
    assert.match(header, /^attachment; filename="_____\.pdf"; filename\*=UTF-8''%D0%BD/)
  })

  it("do not read the file for a HEAD request", async () => {
    const { id } = await upload(form(filePart(pdf(1000))))
    const answer = await get(id, service.key, "HEAD")
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-length"), "1000")
    assert.strictEqual(await answer.text(), "")
  })

  it("accept an upload that fetch sends as FormData", async () => {
    const body = new FormData()
    body.append("file", new Blob([pdf(mebibyte)]), "写真 \"1\".pdf")
    const answer = await fetch(`${service.url}/v1/attachments`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}` },
      body
    })
    assert.strictEqual(answer.status, 201)
    const { name, size } = await answer.json() as { readonly name: string; readonly size: number }
    assert.deepStrictEqual({ name, size }, { name: "写真 \"1\".pdf", size: mebibyte })
  })

  it("parse a form correctly from chunks of any size", async () => {
    const body = form(filePart(jpeg(place), "пёс.jpg"))
    for (const size of [1, 2, 7, 50, 63]) {
      const socket = await open(service.port)
      socket.setNoDelay(true)
      const answer = untilClosed(socket)
      socket.write(request("POST /v1/attachments HTTP/1.1", head({ "Transfer-Encoding": "chunked" })))
      for (let at = 0; at < body.length; at += size) {
        const piece = body.subarray(at, at + size)
        socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]))
        await new Promise(setImmediate)
      }
      socket.write("0\r\n\r\n")
      const { body: text, status } = parseResponse(await answer)
      assert.strictEqual(status, 201, text)
      assert.include(text, "пёс.jpg")
    }
  })

  it("refuse a file whose bytes contradict its declared type", async () => {
    for (const bytes of ["GIF89a", "<svg/>", "<!doctype html><script>", "PK\x03\x04", "x"]) {
      const { json, status } = await post(form(filePart(Buffer.from(bytes), "photo.jpg")))
      assert.strictEqual(status, 415)
      assert.strictEqual(errorOf({ json }).code, "unsupported_type")
    }
  })

  it("refuse a truncated photo", async () => {
    const { json, status } = await post(form(filePart(jpeg().subarray(0, -2))))
    assert.strictEqual(status, 400)
    assert.match(errorOf({ json }).message, /^file: is damaged/)
  })

  const wrong: ReadonlyArray<readonly [what: string, body: Buffer, message: RegExp]> = [
    ["no field", form(), /^file: is required/],
    [
      "a different field",
      form(part("Content-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"", jpeg())),
      /photo.*is not a field/
    ],
    [
      "an additional field",
      form(filePart(jpeg()), part("Content-Disposition: form-data; name=\"x\"", "1")),
      /"x": is not a field/
    ],
    ["two files", form(filePart(jpeg()), filePart(jpeg())), /^file: appears more than once/],
    ["an empty file", form(filePart(Buffer.alloc(0), "")), /^file: is empty/],
    ["a part without a name", form(part("Content-Disposition: form-data", jpeg())), /has no name/],
    ["a part without a Content-Disposition header", form(part("X-Y: z", jpeg())), /has no name/],
    ["an invalid header", form(part("Content Disposition", jpeg())), /not valid|has no name/],
    ["no final boundary", form(filePart(jpeg())).subarray(0, -20), /has no final boundary|is damaged/],
    ["no content", Buffer.alloc(0), /^file: is required|has no final boundary/],
    ["JSON instead of form data", Buffer.from("{}"), /has no final boundary|required/],
    ["a name that is too long", form(filePart(jpeg(), "n".repeat(1001))), /^name: must be at most 1000/]
  ]

  it.each(wrong)("refuse a form with %s, and store nothing", async (_, body, message) => {
    const before = await count()
    const { json, status } = await post(body)
    assert.strictEqual(status, 400, JSON.stringify(json))
    assert.strictEqual(errorOf({ json }).code, "invalid_request")
    assert.match(errorOf({ json }).message, message)
    assert.strictEqual(await count(), before)
  })

  it("accept only an uncompressed multipart form", async () => {
    for (
      const type of [
        "application/json",
        "image/jpeg",
        "multipart/mixed; boundary=x",
        "application/x-www-form-urlencoded"
      ]
    ) {
      const { json, status } = await post(jpeg(), { "Content-Type": type })
      assert.strictEqual(status, 415)
      assert.match(errorOf({ json }).message, /multipart\/form-data, in the field file/)
    }
    assert.strictEqual((await post(form(filePart(jpeg())), { "Content-Encoding": "gzip" })).status, 415)
    assert.strictEqual((await post(form(filePart(jpeg())), { "Content-Type": "multipart/form-data" })).status, 400)
  })

  it("refuse a form at its first unexpected part", async () => {
    const parts = Array.from({ length: 1000 }, (_, n) => part(`Content-Disposition: form-data; name="x${n}"`, "1"))
    const { json, status } = await post(form(filePart(jpeg()), ...parts))
    assert.strictEqual(status, 400)
    assert.match(errorOf({ json }).message, /"x0"/)
  })

  it("accept files of at most 10 MiB", async () => {
    const { size } = await upload(form(filePart(pdf(10 * mebibyte))))
    assert.strictEqual(size, 10 * mebibyte)
    const { json, status } = await post(form(filePart(pdf(10 * mebibyte + 1))))
    assert.strictEqual(status, 413)
    assert.deepStrictEqual(errorOf({ json }), {
      code: "too_large",
      message: "A file must be at most 10 MB (10485760 bytes)."
    })
  })

  it("reject an excessive declared length before the body is sent", async () => {
    const socket = await open(service.port)
    const answer = untilClosed(socket)
    socket.write(request("POST /v1/attachments HTTP/1.1", head({ "Content-Length": String(100 * mebibyte) })))
    assert.strictEqual(parseResponse(await answer).status, 413)
  })

  it("stop reading a body of undeclared length at the limit", async () => {
    const before = process.memoryUsage().arrayBuffers
    const chunk = Buffer.from(`${(64 * 1024).toString(16)}\r\n${" ".repeat(64 * 1024)}\r\n`)
    const socket = await open(service.port)
    const answer = untilClosed(socket)
    socket.write(request("POST /v1/attachments HTTP/1.1", head({ "Transfer-Encoding": "chunked" })))
    const first = Buffer.concat([filePart(pdf(100)).subarray(0, -2)])
    socket.write(Buffer.concat([Buffer.from(`${first.length.toString(16)}\r\n`), first, Buffer.from("\r\n")]))
    for (let chunkCount = 0; chunkCount < 800 && !socket.destroyed; chunkCount++) {
      if (!socket.write(chunk)) {
        await Promise.race(["drain", "close"].map((event) => new Promise((resolve) => socket.once(event, resolve))))
      }
    }
    socket.end()
    const text = await answer
    // A client that is still sending may be disconnected before it reads the response (RFC 9112, 9.6).
    if (text !== "") assert.strictEqual(parseResponse(text).status, 413)
    assert.isBelow(process.memoryUsage().arrayBuffers - before, 48 * mebibyte)
  })

  it("discard an aborted upload", async () => {
    const before = (await shelf()).size
    const body = form(filePart(pdf(mebibyte)))
    for (const at of [0, 10, 200, 100_000, body.length - 1]) {
      const socket = await open(service.port)
      const lines = service.log.length
      socket.write(request("POST /v1/attachments HTTP/1.1", head({ "Content-Length": String(body.length) })))
      socket.write(body.subarray(0, at), () => socket.destroy())
      while (service.log.length === lines) await new Promise((resolve) => setTimeout(resolve, 1))
      assert.strictEqual(service.log.at(-1)?.status, 400)
    }
    assert.strictEqual((await shelf()).size, before)
    assert.isTrue(service.log.every(({ op, route }) => op !== "attachments.upload" || route === "/v1/attachments"))
  })

  it("return an error if file storage fails, and store nothing", async () => {
    const before = (await shelf()).size
    await Effect.runPromise(service.shelf.refuse(true))
    const { json, status } = await post(form(filePart(jpeg())))
    assert.strictEqual(status, 503)
    assert.strictEqual(errorOf({ json }).code, "unavailable")
    await Effect.runPromise(service.shelf.refuse(false))
    assert.strictEqual((await shelf()).size, before)
  })

  it("serve a file only to the outfitter that uploaded it", async () => {
    const { id } = await upload(form(filePart(jpeg())))
    const stranger = await service.strangersKey()
    for (
      const [requestedId, key] of [[id, stranger], [crypto.randomUUID(), service.key], ["..%2F..%2Fx", service.key], [
        "x",
        service.key
      ]] as const
    ) {
      const answer = await get(requestedId, key)
      assert.strictEqual(answer.status, 404)
      assert.strictEqual(errorOf({ json: await answer.json() }).code, "not_found")
    }
    assert.strictEqual((await get(id.toUpperCase())).status, 200)
    assert.strictEqual((await get(id, "tb_live_x")).status, 401)
  })

  it("require the write scope for uploads and the read scope for downloads", async () => {
    const { id } = await upload(form(filePart(jpeg())))
    const [reader, writer] = [await service.newKey({ scopes: ["read"] }), await service.newKey({ scopes: ["write"] })]
    const { json, status } = await post(form(filePart(jpeg())), { Authorization: `Bearer ${reader}` })
    assert.strictEqual(status, 403)
    assert.strictEqual(errorOf({ json }).message, "attachments.upload requires an API key with the scope \"write\".")
    assert.strictEqual((await get(id, writer)).status, 403)
    assert.strictEqual((await get(id, reader)).status, 200)
  })

  it("list the allowed methods for an unsupported method", async () => {
    const answer = await service.ask("GET", "/v1/attachments")
    assert.strictEqual(answer.status, 405)
    assert.strictEqual(answer.headers.get("allow"), "POST, OPTIONS")
  })

  it("are included in the OpenAPI document", async () => {
    const { json } = await service.ask("GET", "/v1/openapi.json", { key: null })
    type Paths = Record<string, Record<string, { readonly operationId: string; readonly servers?: unknown }>>
    const { paths } = json as { readonly paths: Paths }
    assert.strictEqual(paths["/attachments"]?.["post"]?.operationId, "attachments.upload")
    assert.strictEqual(paths["/api/attachments/{id}"]?.["get"]?.operationId, "attachments.open")
    assert.deepStrictEqual(paths["/api/attachments/{id}"]?.["get"]?.servers, [{ url: "/" }])
  })
})

it("an upload that takes too long is aborted, and nothing is stored", async () => {
  const service = await start({ listen: { requestTimeout: "1 second", headersTimeout: "1 second" } })
  try {
    const body = form(filePart(pdf(100_000)))
    const socket = await open(service.port)
    const answer = untilClosed(socket)
    socket.write(request("POST /v1/attachments HTTP/1.1", {
      Authorization: `Bearer ${service.key}`,
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
      "Content-Length": String(body.length)
    }))
    socket.write(body.subarray(0, 50_000))
    await answer
    while (!service.log.some(({ op }) => op === "attachments.upload")) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.strictEqual(service.log.find(({ op }) => op === "attachments.upload")?.status, 400)
    assert.strictEqual((await Effect.runPromise(service.shelf.contents)).size, 0)
  } finally {
    await service.close()
  }
})

describe("a file download", () => {
  it("costs one token, plus one for every 512 KiB", async () => {
    // The bucket refills so slowly that the test receives no token back.
    const service = await start({ rateLimit: { burst: 100, perSecond: 0.0001 } })
    try {
      const body = new FormData()
      body.append("file", new Blob([pdf(3 * mebibyte)]), "a.pdf")
      const headers = { authorization: `Bearer ${service.key}` }
      const upload = await fetch(`${service.url}/v1/attachments`, { method: "POST", headers, body })
      const { id } = await upload.json() as { id: string }
      const countTokens = async () => {
        const response = await fetch(`${service.url}/v1/org`, { headers })
        await response.text()
        return Number(/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1])
      }
      const tokensBefore = await countTokens()
      const download = await fetch(`${service.url}/api/attachments/${id}`, { headers })
      assert.strictEqual((await download.arrayBuffer()).byteLength, 3 * mebibyte)
      // The second count costs one token, the download 1 + 6.
      assert.strictEqual(tokensBefore - await countTokens(), 1 + 7)
    } finally {
      await service.close()
    }
  })

  it("releases the file if the client stops reading it", async () => {
    const state = { open: 0 }
    const endless = Layer.succeed(
      Files,
      Files.of({
        put: () => Effect.void,
        remove: () => Effect.void,
        get: () =>
          Effect.sync(() => {
            state.open++
            return {
              _tag: "Some",
              value: new ReadableStream({
                pull: (c) => c.enqueue(new Uint8Array(65_536)),
                cancel: () => void state.open--
              })
            } as never
          })
      })
    )
    const service = await start({ files: endless, rateLimit: { perSecond: 100 } })
    try {
      const body = new FormData()
      body.append("file", new Blob([pdf(5 * mebibyte)]), "a.pdf")
      const headers = { authorization: `Bearer ${service.key}` }
      const { id } = await (await fetch(`${service.url}/v1/attachments`, { method: "POST", headers, body })).json() as {
        id: string
      }
      for (let n = 0; n < 5; n++) {
        const controller = new AbortController()
        const answer = await fetch(`${service.url}/api/attachments/${id}`, { headers, signal: controller.signal })
        await answer.body?.getReader().read()
        controller.abort()
      }
      while (state.open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    } finally {
      await service.close()
    }
  })

  it("is refused if file storage is unreachable", async () => {
    const brokenFiles = Layer.succeed(
      Files,
      Files.of({ put: () => Effect.void, remove: () => Effect.void, get: () => new FilesFailed({ message: "away" }) })
    )
    const service = await start({ files: brokenFiles })
    try {
      const body = new FormData()
      body.append("file", new Blob([pdf(10)]), "a.pdf")
      const headers = { authorization: `Bearer ${service.key}` }
      const { id } = await (await fetch(`${service.url}/v1/attachments`, { method: "POST", headers, body })).json() as {
        id: string
      }
      const answer = await service.ask("GET", `/api/attachments/${id}`)
      assert.strictEqual(answer.status, 503)
      assert.notInclude(answer.text, "away")
    } finally {
      await service.close()
    }
  })
})
