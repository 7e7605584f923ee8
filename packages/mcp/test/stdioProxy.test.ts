/** Tests the proxy that connects a process's stdio to a remote server. */
import { PassThrough } from "node:stream"
import { assert, beforeAll, describe, it } from "vitest"
import { buildMcpUrl, proxyStdio } from "../src/stdioProxy.ts"
import { fetchOf } from "./Clients.ts"
import { type World, world } from "./World.ts"

interface Message {
  readonly id?: unknown
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

interface SentRequest {
  readonly url: string
  readonly headers: Headers
}

/** Sends the lines, ends the input, and returns the output messages as a list and by ID. */
const through = async (send: typeof fetch, lines: ReadonlyArray<unknown>) => {
  const input = new PassThrough()
  const output = new PassThrough()
  const sent: Array<SentRequest> = []
  const watchedFetch: typeof fetch = (url, init) => {
    const { headers, url: address } = new Request(url, init)
    sent.push({ url: address, headers })
    return send(url, init)
  }
  const url = buildMcpUrl("http://127.0.0.1/", { readonly: "1" })
  const proxy = proxyStdio({ url, key: "tb_test_key", input, output, fetch: watchedFetch })
  for (const line of lines) {
    const lengthBefore = output.readableLength
    input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`)
    // A client waits for the response to its handshake before it continues.
    if (isOpening(line)) { while (output.readableLength === lengthBefore) await new Promise((go) => setImmediate(go)) }
  }
  input.end()
  await proxy
  output.end()
  const messages = String(output.read() ?? "").split("\n").filter((line) => line !== "")
    .map((line): Message => JSON.parse(line))
  return { sent, messages, of: (id: unknown) => messages.find((message) => message.id === id) }
}

const isOpening = (line: unknown): boolean =>
  typeof line === "object" && line !== null && "method" in line && line.method === "initialize"

const request = (id: number, method: string, params?: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params })
})

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
}

describe("the stdio proxy", () => {
  let here: World
  let send: typeof fetch
  beforeAll(async () => {
    here = await world()
    send = await fetchOf(here)
  })

  it("lists views for an older client that supports them", async () => {
    const views = (name: string) => `<!doctype html>${name}`
    const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } }
    const { of } = await through(await fetchOf(here, { views }), [
      { ...initialize, params: { ...initialize.params, capabilities: { extensions } } },
      request(2, "tools/list"),
      request(3, "resources/read", { uri: "ui://trailbook/booking" })
    ])
    assert.include(JSON.stringify(of(2)?.result), "ui://trailbook/booking")
    assert.include(JSON.stringify(of(3)?.result), "<!doctype html>booking")
  })

  it("forwards messages with the API key and the negotiated version", async () => {
    const { of, sent } = await through(send, [
      initialize,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      "",
      request(2, "tools/list"),
      request(3, "tools/call", { name: "org_get", arguments: {} })
    ])
    assert.strictEqual(of(1)?.result?.protocolVersion, "2025-06-18")
    assert.deepInclude(of(3)?.result?.structuredContent, { name: "Salida River Co." })
    for (const { headers, url } of sent) {
      assert.strictEqual(headers.get("authorization"), "Bearer tb_test_key")
      assert.strictEqual(url, "http://127.0.0.1/mcp?readonly=1")
    }
    assert.deepStrictEqual(sent.map(({ headers }) => headers.get("mcp-protocol-version")), [
      null,
      "2025-06-18",
      "2025-06-18",
      "2025-06-18"
    ])
    // The tool filter in the URL applies.
    const toolList = JSON.stringify(of(2)?.result)
    assert.include(toolList, "\"org_get\"")
    assert.notInclude(toolList, "\"org_update\"")
  })

  it("adds the headers that revision 2026-07-28 derives from a message", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {}
    }
    const { of } = await through(send, [
      request(1, "server/discover", { _meta }),
      request(2, "tools/call", { name: "org_get", arguments: {}, _meta }),
      request(3, "resources/read", { uri: "trailbook://today", _meta }),
      request(4, "resources/read", { uri: "trailbook://days/früh", _meta })
    ])
    assert.deepInclude(of(2)?.result?.structuredContent, { name: "Salida River Co." })
    assert.include(JSON.stringify(of(3)?.result), "Sat 2027-06-05")
    assert.deepStrictEqual(of(4)?.error?.code, -32_602)
    assert.match(of(4)?.error?.message ?? "", /^date: must be/)
  })

  it("returns a rejection together with the server's message", async () => {
    const refusingFetch: typeof fetch = async () =>
      Response.json({ error: { code: "unauthorized", message: "Send a valid API key." } }, { status: 401 })
    const { of } = await through(refusingFetch, [request(7, "tools/list")])
    assert.deepStrictEqual(of(7)?.error, { code: -32_000, message: "401: Send a valid API key." })
  })

  it("reports that a call without a response may have taken effect", async () => {
    const failingFetch: typeof fetch = async () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:4000") })
    }
    const { messages, of } = await through(failingFetch, [
      request(1, "tools/list"),
      { jsonrpc: "2.0", method: "notifications/cancelled" }
    ])
    assert.match(of(1)?.error?.message ?? "", /ECONNREFUSED.*may have taken effect: retry with the same arguments/)
    assert.lengthOf(messages, 1)
  })

  it("reports invalid messages from the server and the client", async () => {
    const page: typeof fetch = async () => new Response("<html>", { status: 200 })
    const { messages, of } = await through(page, [request(1, "tools/list"), "{", "[]", "7"])
    assert.match(of(1)?.error?.message ?? "", /^200: The server did not return/)
    assert.lengthOf(messages.filter(({ id }) => id === null), 3)
  })
})
