/**
 * Compares the responses to plain calls, which bypass the libraries, with the libraries' responses to the same
 * requests.
 */
import type { Actor } from "@trailbook/core/actor"
import * as FastCheck from "effect/FastCheck"
import { assert, beforeAll, describe, it } from "vitest"
import * as PlainCall from "../src/http/fastPath.ts"
import * as Handler from "../src/http/handler.ts"
import * as Assistant from "../src/McpHandlers.ts"
import { normalizeArguments } from "../src/normalizeArguments.ts"
import { makeEffectRunner, type McpServerContext } from "../src/server/McpServerContext.ts"
import * as V1 from "../src/server/sdkV1.ts"
import * as V2 from "../src/server/sdkV2.ts"
import { allTools } from "../src/ToolFilter.ts"
import { connectV1, connectV2 } from "./Clients.ts"
import { type World, world } from "./World.ts"

const version = "0.1.0"

interface RecordedCall {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: { readonly [name: string]: unknown; readonly params: Readonly<Record<string, unknown>> }
}

const old: RecordedCall = {
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25"
  },
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "org_get", arguments: {} } }
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

const modern: RecordedCall = {
  headers: {
    ...old.headers,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "org_get"
  },
  body: { ...old.body, params: { ...old.body.params, _meta: envelope } }
}

type Change = (call: RecordedCall) => RecordedCall

const header = (name: string, value: string | undefined): Change => ({ body, headers }) => ({
  body,
  headers: { ...headers, [name]: value }
})
const revision = (value: string | undefined): Change => header("mcp-protocol-version", value)
const member = (name: string, value: unknown): Change => ({ body, headers }) => ({
  headers,
  body: { ...body, [name]: value }
})
const param = (name: string, value: unknown): Change => ({ body, headers }) => ({
  headers,
  body: { ...body, params: { ...body.params, [name]: value } }
})
const meta = (name: string, value: unknown): Change => (call) => {
  const oldMeta = call.body.params._meta
  return param("_meta", { ...(typeof oldMeta === "object" ? oldMeta : {}), [name]: value })(call)
}
const tool = (name: string, input: unknown): Change => (call) => {
  const namedCall = param("name", name)(param("arguments", input)(call))
  return call.headers["mcp-name"] !== undefined ? header("mcp-name", name)(namedCall) : namedCall
}

const id = "0198c5a2-0000-7000-8000-000000000000"

const changes: ReadonlyArray<Change> = [
  ...["2025-03-26", "2025-11-25", "2026-07-28", "2027-01-01", "latest", undefined].map(revision),
  ...["application/json", "text/event-stream", "*/*", undefined].map((accept) => header("accept", accept)),
  ...["application/json; charset=utf-8", "text/plain", undefined].map((type) => header("content-type", type)),
  ...["tools/call", "tools/list", undefined].map((method) => header("mcp-method", method)),
  ...["bookings_get", "=?base64?b3JnX2dldA==?=", "=?base64?!?=", undefined].map((name) => header("mcp-name", name)),
  ...[0, -7, "", "one", 1.5, null, true, undefined].map((id) => member("id", id)),
  ...["tools/list", "tools/nothing", "ping"].map((method) => member("method", method)),
  member("jsonrpc", "1.0"),
  member("surprise", 1),
  member("params", []),
  ...[null, [], "{}", { surprise: 1 }, undefined].map((input) => param("arguments", input)),
  tool("bookings_get", { id }),
  tool("bookings_list", { limit: 1 }),
  tool("offerings_delete", { id }),
  tool("bookings_delete", {}),
  param("name", 7),
  param("task", { ttl: 1 }),
  param("task", 1),
  param("surprise", 1),
  param("requestState", "state"),
  param("inputResponses", { confirm: { action: "accept" } }),
  ...[null, [], "meta", {}].map((value) => param("_meta", value)),
  ...[7, "token", {}, 1.5].map((token) => meta("progressToken", token)),
  (call) => meta("io.modelcontextprotocol/protocolVersion", "2027-01-01")(revision("2027-01-01")(call)),
  meta("example.com/trace", "abc"),
  meta("io.modelcontextprotocol/related-task", { taskId: "1" }),
  meta("io.modelcontextprotocol/related-task", 1),
  meta("io.modelcontextprotocol/logLevel", "loud"),
  ...["2025-11-25", "2026-07-28", "2027-01-01", 7].map((revision) =>
    meta("io.modelcontextprotocol/protocolVersion", revision)
  ),
  ...[{ elicitation: {} }, { roots: 1 }, 7, undefined].map((capabilities) =>
    meta("io.modelcontextprotocol/clientCapabilities", capabilities)
  ),
  ...[{ name: "nameless" }, undefined].map((info) => meta("io.modelcontextprotocol/clientInfo", info))
]

/** Copies the request through JSON, which drops undefined headers and fields. */
const requestOf = (call: RecordedCall): readonly [Request, unknown] => {
  const { body, headers } = JSON.parse(JSON.stringify(call))
  return [new Request("http://127.0.0.1/mcp", { method: "POST", headers, body: JSON.stringify(body) }), body]
}

let here: World
let assistant: Assistant.McpHandlers
let readPlainCall: ReturnType<typeof PlainCall.make>
let ask: (call: RecordedCall, actor?: Actor["Type"]) => Promise<Handler.HttpResponse>
let askLibrary: (call: RecordedCall) => Promise<Handler.HttpResponse>

beforeAll(async () => {
  here = await world()
  assistant = await here.run(Assistant.make)
  readPlainCall = PlainCall.make({ find: assistant.tools.find, version })
  const handler = await here.run(Handler.makeLazyHandler(assistant, { version }))
  ask = (call, actor = here.actor) => {
    const [request, body] = requestOf(call)
    return here.run(handler(request, { actor, body }))
  }
  const run = await here.run(makeEffectRunner)
  const second = V2.makeHandler()
  const caller = { actor: here.actor, toolFilter: allTools }
  const serverContext: McpServerContext = { assistant, caller, instructions: undefined, run, version }
  askLibrary = async (call) => {
    const [request, requestBody] = requestOf(call)
    const body = normalizeArguments(requestBody)
    const answer = await V2.isLegacyMcpRequest(request, body) ? V1.handleRequest : second
    return Handler.readResponse(await answer(serverContext, request, body))
  }
  // The fast path handles calls from the second request on.
  await ask({ ...old, body: { ...old.body, method: "ping" } })
})

const parseBody = ({ body, ...answer }: Handler.HttpResponse) => ({
  ...answer,
  body: body === null ? null : JSON.parse(body)
})

const isPlain = (call: RecordedCall): boolean => readPlainCall(...requestOf(call)) !== undefined

describe("the fast path", () => {
  it("returns the same response as the normal path", async () => {
    const counts = { plain: 0, other: 0 }
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.constantFrom(old, modern),
        FastCheck.array(FastCheck.constantFrom(...changes), { maxLength: 3 }),
        async (start, changes) => {
          const call = changes.reduce((call, change) => change(call), start)
          counts[isPlain(call) ? "plain" : "other"]++
          assert.deepStrictEqual(parseBody(await ask(call)), parseBody(await askLibrary(call)))
        }
      ),
      { numRuns: 600, examples: changes.flatMap((change) => [[old, [change]], [modern, [change]]]) }
    )
    assert.isAbove(counts.plain, 100)
    assert.isAbove(counts.other, 100)
  })

  it("treats null arguments as missing arguments", async () => {
    for (const start of [old, modern]) {
      const { body } = parseBody(await ask(param("arguments", null)(start)))
      assert.strictEqual(body.result.structuredContent.name, "Salida River Co.")
    }
  })

  it("handles every tool call of the official clients", async () => {
    const plainFlags: Array<boolean> = []
    const onRequest = (request: Request, body: unknown) => {
      if (typeof body !== "object" || body === null || !("method" in body) || body.method !== "tools/call") return
      plainFlags.push(readPlainCall(request, body) !== undefined)
    }
    const first = await connectV1(here, { seen: onRequest })
    await first.callTool({ name: "org_get", arguments: {} })
    await first.callTool({ name: "org_get" }, undefined, { onprogress: () => {} })
    const second = await connectV2(here, { seen: onRequest })
    await second.callTool({ name: "org_get", arguments: {} })
    await second.callTool({ name: "org_get" }, { onprogress: () => {} })
    assert.deepStrictEqual(plainFlags, [true, true, true, true])
  })

  it("in the 2026 revision, leaves confirmations to the normal path", () => {
    const destructive = assistant.tools.list({ actor: here.actor, toolFilter: allTools })
      .filter(({ annotations }) => annotations.destructiveHint)
    assert.isNotEmpty(destructive)
    for (const { name } of destructive) {
      const call = tool(name, {})
      assert.deepStrictEqual([isPlain(call(old)), isPlain(call(modern))], [true, false], name)
    }
  })

  it("reports the name of the called operation", async () => {
    const handler = await here.run(Handler.makeLazyHandler(assistant, { version }))
    const names: Array<string> = []
    for (const call of [old, modern, old, modern]) {
      const [request, body] = requestOf(call)
      await here.run(handler(request, { actor: here.actor, body, onOperation: (name) => names.push(name) }))
    }
    assert.deepStrictEqual(names, ["org.get", "org.get", "org.get", "org.get"])
  })
})

describe("concurrent requests", () => {
  it("receive their own responses despite identical message IDs", async () => {
    const calls = Array.from({ length: 60 }, (_, at) => {
      const isOwn = at % 2 === 0
      const call = [old, modern, param("surprise", 1)(old), param("surprise", 1)(modern)][Math.floor(at / 2) % 4] ??
        old
      return { actor: isOwn ? here.actor : here.neighbor, call: member("id", Math.floor(at / 8))(call) }
    })
    const answers = await Promise.all(calls.map(({ actor, call }) => ask(call, actor)))
    for (const [at, { actor, call }] of calls.entries()) {
      const { body } = parseBody(answers[at] ?? Handler.makeJsonResponse(0, null))
      assert.deepStrictEqual([body.id, body.result.structuredContent.id], [call.body.id, actor.orgId])
    }
  })
})
