/** Tests that the reader connects only to allowed addresses, and that its errors reveal nothing about the network. */
import { assert, it } from "@effect/vitest"
import * as DocumentReader from "@trailbook/webhook/DocumentReader"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"

const serve = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(listener).listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` }
    }),
    ({ server }) => Effect.sync(() => void server.close())
  )

const answers: Readonly<Record<string, RequestListener>> = {
  "/good": (_, response) =>
    response.setHeader("content-type", "application/json; charset=utf-8").end(`{"client_id":"x"}`),
  "/html": (_, response) => response.setHeader("content-type", "text/html").end("{}"),
  "/broken": (_, response) => response.setHeader("content-type", "application/json").end("{"),
  "/gone": (_, response) => response.writeHead(404, { "content-type": "application/json" }).end("{}"),
  "/moved": (_, response) =>
    response.writeHead(302, { location: "/good", "content-type": "application/json" }).end("{}"),
  "/long": (_, response) => response.setHeader("content-type", "application/json").end(`"${"x".repeat(65 * 1024)}"`)
}

const requestLines: Array<string> = []
const host = serve((request, response) => {
  requestLines.push(`${request.method} ${request.url} ${request.headers.cookie ?? ""}`)
  return answers[request.url ?? ""]?.(request, response)
})

const code = Effect.flip

it.scopedLive("DocumentReader fetches from allowed addresses, and reports every failure with the same message", () =>
  Effect.gen(function*() {
    const { url } = yield* host
    const { read } = DocumentReader.make({ allow: ["127.0.0.0/8"] })
    assert.deepStrictEqual(yield* read(`${url}/good`), { client_id: "x" })
    const messages = new Set<string>()
    for (const path of ["/html", "/broken", "/gone", "/moved", "/long"]) {
      messages.add((yield* code(read(url + path))).message)
    }
    // All failures have the same message, so a caller learns nothing about the host.
    assert.deepStrictEqual([...messages], ["client_id: the document at this URL cannot be read"])
    assert.deepStrictEqual(requestLines.filter((line) => line.startsWith("GET /good")), ["GET /good "])
  }))

it.scopedLive("DocumentReader never connects to a private address in any notation", () =>
  Effect.gen(function*() {
    const { url } = yield* host
    const before = requestLines.length
    const { read } = DocumentReader.make({})
    const { port } = new URL(url)
    for (
      const address of [
        `${url}/good`,
        `https://127.0.0.1:${port}/good`,
        `https://localhost:${port}/good`,
        `https://2130706433:${port}/good`,
        `https://[::1]:${port}/good`,
        "https://169.254.169.254/latest",
        "https://10.0.0.1/good",
        "file:///etc/passwd",
        "nothing"
      ]
    ) assert.strictEqual((yield* code(read(address))).code, "invalid_client", address)
    assert.strictEqual(requestLines.length, before)
  }))
