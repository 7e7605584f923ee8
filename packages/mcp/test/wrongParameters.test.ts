/** Tests that wrong parameters return the standard error code and one sentence, on every revision and transport. */
import { assert, describe, it } from "vitest"
import { explainError, explainErrorText } from "../src/server/toRpcError.ts"
import { fetchOf } from "./Clients.ts"
import { world } from "./World.ts"

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

const wrong: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, string]> = [
  ["tools/call", { arguments: {} }, "name: is missing"],
  ["tools/call", { name: 7 }, "name: must be a string"],
  ["tools/call", { name: "org_get", arguments: [] }, "arguments: must be an object"],
  ["tools/call", { name: "org_get", arguments: "x" }, "arguments: must be an object"],
  ["tools/list", { cursor: 7 }, "cursor: must be a string"],
  ["prompts/get", {}, "name: is missing"],
  ["prompts/get", { name: "find_a_place", arguments: { people: 2 } }, "arguments.people: must be a string"],
  [
    "prompts/get",
    { name: "find_a_place", arguments: { ["p".repeat(5000)]: 2 } },
    `arguments.${"p".repeat(100)}: must be a string`
  ],
  ["resources/read", {}, "uri: is missing"],
  ["resources/read", { uri: 7 }, "uri: must be a string"],
  ["completion/complete", { ref: { type: "ref/other" }, argument: { name: "a", value: "" } }, "ref: is not valid"],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "x" }, argument: { name: "a", value: 7 } },
    "argument.value: must be a string"
  ]
]

describe("invalid parameters", () => {
  it.each(["2025-11-25", "2026-07-28"])(
    "return error -32602 with a one-sentence message in revision %s",
    async (revision) => {
      const send = await fetchOf(await world())
      const isModern = revision === "2026-07-28"
      for (const [method, params, message] of wrong) {
        const target = params.name ?? params.uri
        const nameHeader = typeof target === "number" ? String(target) : target
        const response = await send("http://127.0.0.1/mcp", {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "mcp-protocol-version": revision,
            ...isModern
              ? { "mcp-method": method, ...typeof nameHeader === "string" ? { "mcp-name": nameHeader } : {} }
              : {}
          },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method,
            params: isModern ? { ...params, _meta: envelope } : params
          })
        })
        assert.deepStrictEqual(
          await response.json(),
          { jsonrpc: "2.0", id: 1, error: { code: -32_602, message } },
          method
        )
      }
    }
  )

  it("cause the only errors whose messages are rewritten", () => {
    const others = [
      { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "Something went wrong." } },
      { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "[\n not JSON" } },
      { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "[\n 1]" } },
      { jsonrpc: "2.0", id: 1, error: { code: -32_602, message: "Unknown tool: [\n]" } },
      { jsonrpc: "2.0", id: 1, result: { error: { message: "[\n{\"path\":[],\"message\":\"\"}]" } } }
    ]
    for (const other of others) {
      assert.deepStrictEqual(explainError(other), other)
      assert.deepStrictEqual(JSON.parse(explainErrorText(JSON.stringify(other))), other)
    }
  })
})
