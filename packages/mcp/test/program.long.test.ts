/**
 * Tests the CLI with the official clients: over stdio on a database, over HTTP on a server, and through the stdio proxy
 * to that server.
 */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client"
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it, onTestFinished, vi } from "vitest"
import { cli, env, install, type Installation, serve } from "./Program.ts"

const info = { name: "test", version: "1" }

let here: Installation
beforeAll(async () => {
  here = await install()
})
afterAll(() => here.stop())

const newest = { versionNegotiation: { mode: "auto" } } as const

const showsViews = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } }

const local = () => ["mcp", "--database", here.database, "--org", here.outfitter.slug]
const remote = () => ["mcp", "--url", here.origin]

const stdioV1 = async (
  args: ReadonlyArray<string>,
  extraEnv: Record<string, string> = {},
  answer?: "accept" | "decline"
) => {
  const client = new ClientV1(info, { capabilities: answer === undefined ? {} : { elicitation: {} } })
  const questions: Array<string> = []
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return answer === "accept" ? { action: answer, content: {} } : { action: answer }
    })
  }
  const transport = new StdioV1({
    command: process.execPath,
    args: [cli, ...args],
    env: { ...env, ...extraEnv },
    stderr: "pipe"
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { questions, client }
}

const stdioV2 = async (args: ReadonlyArray<string>, extraEnv: Record<string, string> = {}) => {
  const client = new ClientV2(info, newest)
  await client.connect(
    new StdioV2({ command: process.execPath, args: [cli, ...args], env: { ...env, ...extraEnv }, stderr: "pipe" })
  )
  onTestFinished(() => client.close())
  return client
}

const header = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

const httpV1 = async (key: string, query = "", origin = here.origin) => {
  const client = new ClientV1(info)
  await client.connect(new HttpV1(new URL(`${origin}/mcp${query}`), header(key)))
  onTestFinished(() => client.close())
  return client
}

const httpV2 = async (key: string) => {
  const client = new ClientV2(info, newest)
  await client.connect(new HttpV2(new URL(`${here.origin}/mcp`), header(key)))
  onTestFinished(() => client.close())
  return client
}

const whose = async (client: Pick<ClientV1, "callTool"> | Pick<ClientV2, "callTool">): Promise<unknown> => {
  const { structuredContent } = await client.callTool({ name: "org_get", arguments: {} })
  return typeof structuredContent === "object" && structuredContent !== null && "id" in structuredContent
    ? structuredContent.id
    : undefined
}

const post = (body: unknown, headers: Record<string, string> = {}, path = "/mcp") =>
  fetch(here.origin + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${here.outfitter.api_key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers
    },
    body: JSON.stringify(body)
  })

const today = "trailbook://today"

/** Adds a departure for today in the server's process. */
const openDeparture = async (name: string) => {
  const client = await httpV1(here.outfitter.api_key)
  const call = async (name: string, input: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name, arguments: input })
    return Object(structuredContent)
  }
  const { id } = await call("offerings_create", { name, kind: "class", capacity: 8 })
  await call("sessions_create", { offering_id: id, starts_at: new Date().toISOString().replace(/:\d\d\.\d+Z/, ":00Z") })
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }

describe("the MCP server over stdio", () => {
  it("serves a 2025-revision client from a database", async () => {
    const { client } = await stdioV1(local())
    assert.deepInclude(client.getServerVersion(), { name: "trailbook" })
    assert.isAbove((await client.listTools()).tools.length, 25)
    assert.strictEqual(await whose(client), here.outfitter.org_id)
  })

  it("lets a 2026-revision client negotiate the newest version", async () => {
    const client = await stdioV2(local())
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
    assert.strictEqual(await whose(client), here.outfitter.org_id)
  })

  it.each([
    ["2025, on a database", () => new ClientV1(info, { capabilities: showsViews }), local, false],
    ["2025, on a server", () => new ClientV1(info, { capabilities: showsViews }), remote, true],
    ["2026, on a database", () => new ClientV2(info, { ...newest, capabilities: showsViews }), local, false]
  ])("serves a tool's view to a client of revision %s", async (_, make, args, isRemote) => {
    const client = make()
    const key = isRemote ? { TRAILBOOK_KEY: here.outfitter.api_key } : {}
    const transport = new StdioV1({
      command: process.execPath,
      args: [cli, ...args()],
      env: { ...env, ...key },
      stderr: "pipe"
    })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    const uri = "ui://trailbook/booking"
    assert.deepStrictEqual(tools.find(({ name }) => name === "bookings_get")?._meta, { ui: { resourceUri: uri } })
    const { contents } = await client.readResource({ uri })
    assert.include(JSON.stringify(contents), "data-currency=")
  })

  it("notifies a 2025-revision client of changes to today's trips", async () => {
    const { client } = await stdioV1(local())
    const update = new Promise((resolve) =>
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri))
    )
    await client.subscribeResource({ uri: today })
    await openDeparture("Raft")
    assert.strictEqual(await update, today)
    await client.unsubscribeResource({ uri: today })
    const refusal = await client.subscribeResource({ uri: "trailbook://week" }).then(() => undefined, String)
    assert.include(refusal, "only trailbook://today has updates")
    const overHttp = await httpV1(here.outfitter.api_key)
    assert.deepStrictEqual(overHttp.getServerCapabilities()?.resources, {})
  })

  it("notifies a 2026-revision client of changes to today's trips", async () => {
    const client = await stdioV2(local())
    const update = new Promise((resolve) =>
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri))
    )
    const { honoredFilter } = await client.listen({ resourceSubscriptions: [today] })
    assert.deepStrictEqual(honoredFilter, { resourceSubscriptions: [today] })
    await openDeparture("Kayak")
    assert.strictEqual(await update, today)
  })

  it("restricts database access to the key's scopes", async () => {
    const { client } = await stdioV1(["mcp", "--database", here.database], { TRAILBOOK_KEY: here.readKey })
    assert.strictEqual(await whose(client), here.outfitter.org_id)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.include(names, "bookings_list")
    assert.notInclude(names, "bookings_create")
    const refusal = await client.callTool({ name: "bookings_cancel", arguments: { id: crypto.randomUUID() } })
    assert.include(JSON.stringify(refusal.content), "forbidden: bookings.cancel requires an API key with the scope")
  })

  it("restricts remote server access to the key's outfitter", async () => {
    const { client } = await stdioV1(remote(), { TRAILBOOK_KEY: here.neighbor.api_key })
    assert.strictEqual(await whose(client), here.neighbor.org_id)
    assert.match(client.getInstructions() ?? "", /Nordfjord in Europe\/Oslo/)
    const modern = await stdioV2(remote(), { TRAILBOOK_KEY: here.neighbor.api_key })
    assert.strictEqual(modern.getNegotiatedProtocolVersion(), "2026-07-28")
    assert.strictEqual(await whose(modern), here.neighbor.org_id)
  })

  it("applies the tool selection from the command line", async () => {
    for (const args of [local(), remote()]) {
      const { client } = await stdioV1([...args, "--toolsets", "catalog", "--schemas", "full"], {
        TRAILBOOK_KEY: here.outfitter.api_key,
        TRAILBOOK_READ_ONLY: "false"
      })
      const { tools } = await client.listTools()
      assert.includeMembers(tools.map(({ name }) => name), ["offerings_create", "sessions_cancel"])
      assert.notIncludeMembers(tools.map(({ name }) => name), ["org_update", "bookings_list"])
      for (const { outputSchema } of tools) assert.isDefined(outputSchema)
    }
  })

  it.each(["accept", "decline"] as const)(
    "asks the user before a final operation: %s",
    async (answer) => {
      const { questions, client } = await stdioV1(local(), {}, answer)
      const { structuredContent } = await client.callTool({
        name: "offerings_create",
        arguments: { name: "Old Raft", kind: "rental" }
      })
      const { id } = structuredContent as { id: string }
      const deleteResult = await client.callTool({ name: "offerings_delete", arguments: { id } })
      assert.match(questions.join("\n"), /^Delete an offering: Old Raft\?/)
      assert.strictEqual(deleteResult.isError === true, answer === "decline")
      const readResult = await client.callTool({ name: "offerings_get", arguments: { id } })
      assert.strictEqual(readResult.isError === true, answer === "accept")
    }
  )

  it("prints only protocol messages until its input ends", async () => {
    const child = spawn(process.execPath, [cli, ...local()], { env })
    const [out, closeEvent] = [text(child.stdout), once(child, "close")]
    child.stdin.write(`${JSON.stringify({ ...list, id: 7 })}\nnonsense\n`)
    await once(child.stdout, "data")
    child.stdin.end()
    assert.deepStrictEqual(await closeEvent, [0, null])
    const lines = (await out).trim().split("\n").map((line): { id?: unknown } => JSON.parse(line))
    assert.deepStrictEqual(lines.map(({ id }) => id), [7])
  })

  it("treats null arguments as missing arguments", async () => {
    const child = spawn(process.execPath, [cli, ...local()], { env })
    const [out, closeEvent] = [text(child.stdout), once(child, "close")]
    const clientInfo = { name: "test", version: "1" }
    const messages = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "org_get", arguments: null } }
    ]
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    child.stdin.end()
    await closeEvent
    const last = JSON.parse((await out).trim().split("\n").at(-1) ?? "")
    assert.deepInclude(last.result?.structuredContent, { id: here.outfitter.org_id })
  })

  it.each([
    [[], /Set --database/, 2],
    [["--url", "http://127.0.0.1:9"], /--url requires an API key/, 2],
    [["--key", "tb_live_x"], /--key must be an API key/, 2],
    [["--database", "sqlite:nowhere.sqlite"], /The database nowhere\.sqlite does not exist/, 1]
  ])("exits with a message about an invalid setting: %j", async (args, words, code) => {
    const child = spawn(process.execPath, [cli, "mcp", ...args], { env, cwd: here.folder })
    const [stderr, out, closeEvent] = [text(child.stderr), text(child.stdout), once(child, "close")]
    assert.deepStrictEqual(await closeEvent, [code, null])
    assert.match(await stderr, words)
    assert.strictEqual(await out, "")
  })

  it("exits if the outfitter is ambiguous, unknown, or not the key's", async () => {
    const failWith = async (...args: ReadonlyArray<string>) => {
      const child = spawn(process.execPath, [cli, "mcp", "--database", here.database, ...args], { env })
      const [stderr, closeEvent] = [text(child.stderr), once(child, "close")]
      assert.deepStrictEqual(await closeEvent, [1, null])
      return stderr
    }
    assert.match(await failWith(), /has several outfitters/)
    assert.match(await failWith("--org", "salida"), /Unknown outfitter "salida"/)
    assert.match(await failWith("--org", here.outfitter.slug, "--key", here.neighbor.api_key), /does not belong to/)
  })
})

describe("the MCP server over HTTP", () => {
  it("serves clients of both revisions", async () => {
    assert.strictEqual(await whose(await httpV1(here.outfitter.api_key)), here.outfitter.org_id)
    const modern = await httpV2(here.neighbor.api_key)
    assert.strictEqual(modern.getNegotiatedProtocolVersion(), "2026-07-28")
    assert.strictEqual(await whose(modern), here.neighbor.org_id)
  })

  it("offers a read-only key only read-only tools", async () => {
    const client = await httpV1(here.readKey)
    const { tools } = await client.listTools()
    for (const { annotations, name } of tools) assert.isTrue(annotations?.readOnlyHint, name)
    const { isError } = await client.callTool({ name: "customers_upsert", arguments: { email: "a@example.com" } })
    assert.isTrue(isError)
  })

  it("records \"mcp\" as the source of a booking", async () => {
    const client = await httpV1(here.outfitter.api_key)
    const kayak = await client.callTool({ name: "offerings_create", arguments: { name: "Kayak", kind: "rental" } })
    const { id } = kayak.structuredContent as { id: string }
    const free = await client.callTool({ name: "availability_get", arguments: { id } })
    const { data } = free.structuredContent as { data: ReadonlyArray<{ starts_at: string }> }
    const booking = await client.callTool({
      name: "bookings_create",
      arguments: { offering_id: id, starts_at: data.at(-1)?.starts_at, customer: { email: "ann@example.com" } }
    })
    assert.deepInclude(booking.structuredContent, { source: "mcp" })
    // The log is written shortly after the response.
    const line = await vi.waitUntil(() => here.log.text.split("\n").find((line) => line.includes("bookings.create")), {
      timeout: 60_000
    })
    const { level, method, org_id, route, status } = JSON.parse(line)
    assert.deepStrictEqual({ level, method, org_id, route, status }, {
      level: "info",
      method: "POST",
      org_id: here.outfitter.org_id,
      route: "/mcp",
      status: 200
    })
    assert.notInclude(here.log.text, "ann@example.com")
    assert.notInclude(here.log.text, here.outfitter.api_key)
  })

  it("returns the OAuth metadata URL for an invalid key", async () => {
    for (const authorization of ["", "Bearer nonsense", `Basic ${here.outfitter.api_key}`]) {
      const response = await post(list, { authorization })
      assert.strictEqual(response.status, 401)
      const [, address = ""] =
        /^Bearer resource_metadata="(.*)", scope="read write"$/.exec(response.headers.get("www-authenticate") ?? "") ??
          []
      assert.strictEqual(address, `${here.origin}/.well-known/oauth-protected-resource/mcp`)
      for (const url of [address, `${here.origin}/.well-known/oauth-protected-resource`]) {
        const metadata = await fetch(url)
        assert.strictEqual(metadata.status, 200)
        assert.deepInclude(await metadata.json(), {
          resource: `${here.origin}/mcp`,
          bearer_methods_supported: ["header"]
        })
      }
    }
  })

  it("rejects requests from other sites and for other hosts", async () => {
    assert.strictEqual((await post(list, { origin: "https://evil.example" })).status, 403)
    // `fetch` sets the host header itself, so use a raw request.
    const { request } = await import("node:http")
    const httpRequest = request(`${here.origin}/mcp`, { method: "POST", headers: { host: "evil.example" } })
    httpRequest.end("{}")
    const [{ statusCode }] = await once(httpRequest, "response")
    assert.strictEqual(statusCode, 403)
  })

  it("refuses a key in the URL and explains why", async () => {
    for (const authorization of ["", `Bearer ${here.outfitter.api_key}`]) {
      const response = await post(list, { authorization }, `/mcp?api_key=${here.outfitter.api_key}`)
      assert.strictEqual(response.status, 400)
      assert.match(await response.text(), /api_key: .*only in the Authorization header/)
    }
  })

  it("rejects GET and DELETE, and returns the allowed method", async () => {
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(`${here.origin}/mcp`, {
        method,
        headers: { authorization: `Bearer ${here.outfitter.api_key}` }
      })
      assert.strictEqual(response.status, 405)
      assert.include(response.headers.get("allow") ?? "", "POST")
    }
  })

  it("loads the MCP libraries only when first used", async () => {
    const listLoaded = async (ask: (origin: string) => Promise<unknown>) => {
      const coverage = mkdtempSync(join(here.folder, "coverage-"))
      const other = await serve(here.database, { NODE_V8_COVERAGE: coverage })
      await ask(other.origin)
      await other.stop()
      const files = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), "utf8"))
      assert.isAbove(files.length, 0)
      return ["server", "sdk"].filter((name) => files.join("").includes(`/@modelcontextprotocol/${name}/`))
    }
    const org = (origin: string) => fetch(`${origin}/v1/org`, { headers: { authorization: `Bearer ${here.readKey}` } })
    assert.deepStrictEqual(await listLoaded(org), [])
    const tools = (origin: string) => httpV1(here.readKey, "", origin).then((client) => client.listTools())
    assert.deepStrictEqual(await listLoaded(tools), ["server", "sdk"])
  })

  it("handles a client's next message on a different server", async () => {
    const handshake = await post({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info }
    })
    assert.isNull(handshake.headers.get("mcp-session-id"))
    const other = await serve(here.database)
    onTestFinished(other.stop)
    const response = await fetch(`${other.origin}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${here.outfitter.api_key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25"
      },
      body: JSON.stringify(list)
    })
    assert.strictEqual(response.status, 200)
    assert.include(await response.text(), "bookings_create")
  })
})
