/** Tests that echoed IDs are truncated. */
import { assert, beforeAll, describe, it } from "vitest"
import * as Handler from "../src/http/handler.ts"
import type { HttpResponse } from "../src/http/handler.ts"
import * as McpHandlers from "../src/McpHandlers.ts"
import { world } from "./World.ts"

const long = "x".repeat(1_000_000)

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "org_get", arguments: {} } }

let ask: (body: object) => Promise<HttpResponse>

beforeAll(async () => {
  const here = await world()
  const handler = await here.run(Handler.makeLazyHandler(await here.run(McpHandlers.make), { version: "0.1.0" }))
  ask = (body) =>
    here.run(handler(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(body)
      }),
      { actor: here.actor, body }
    ))
})

describe("a message ID", () => {
  // A library handles the first request, and the fast path handles the second.
  it.each([1, 2])(
    "is rejected if it is longer than 128 characters (request %i)",
    async () => {
      const { body, status } = await ask({ ...call, id: long })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(JSON.parse(body ?? ""), {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32_600, message: "A message ID must be at most 128 characters long." }
      })
    }
  )

  it("is returned in the response if it has 128 characters", async () => {
    const id = "x".repeat(128)
    const { body, status } = await ask({ ...call, id })
    assert.strictEqual(status, 200)
    assert.strictEqual(JSON.parse(body ?? "").id, id)
  })
})

describe("an unknown tool name", () => {
  it("is truncated in the response", async () => {
    const { body } = await ask({ ...call, params: { name: long, arguments: {} } })
    assert.strictEqual(JSON.parse(body ?? "").error.message, `Unknown tool: ${"x".repeat(100)}…`)
    const short = "x".repeat(100)
    const { body: other } = await ask({ ...call, params: { name: short, arguments: {} } })
    assert.strictEqual(JSON.parse(other ?? "").error.message, `Unknown tool: ${short}`)
  })
})
