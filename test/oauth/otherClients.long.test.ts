/**
 * Tests that other projects' MCP clients can connect by signing in and can call a tool. The clients are installed from
 * the registry into a temporary folder, because no package depends on them. Without a registry, the tests are skipped.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../freePort.ts"
import { Assistant } from "./Assistant.ts"
import { approve } from "./connect.ts"
import { open, type World } from "./World.ts"

const packages = [
  "@ai-sdk/mcp@1.0.102",
  "@langchain/core@1.4.0",
  "@langchain/mcp-adapters@1.1.4",
  "@modelcontextprotocol/inspector@1.0.3",
  "mcp-remote@0.15.1"
]

/** The parts of the packages that the tests use. */
interface AiSdk {
  readonly createMCPClient: (config: {
    readonly transport: { readonly type: "http"; readonly url: string; readonly authProvider: Assistant }
  }) => Promise<{
    readonly tools: () => Promise<
      Readonly<Record<string, { readonly execute: (input: object, call: object) => Promise<unknown> }>>
    >
    readonly close: () => Promise<void>
  }>
}

interface LangChain {
  readonly MultiServerMCPClient: new(
    servers: Readonly<Record<string, { transport: "http"; url: string; authProvider: Assistant }>>
  ) => {
    readonly getTools: () => Promise<
      ReadonlyArray<{ readonly name: string; readonly invoke: (input: object) => Promise<unknown> }>
    >
    readonly close: () => Promise<void>
  }
}

interface Auth {
  readonly auth: (
    provider: Assistant,
    options: { readonly serverUrl: string; readonly authorizationCode?: string; readonly callbackState?: string }
  ) => Promise<string>
}

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), "trailbook-clients-"))
writeFileSync(join(folder, "package.json"), "{}")
const { resolve } = createRequire(join(folder, "package.json"))
/** The environment without this repository's npm settings, which do not apply to other packages. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")))
const isInstalled = await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, ...packages], {
  cwd: folder,
  env,
  timeout: 300_000
}).then(() => true, () => false)

describe.skipIf(!isInstalled && process.env["CI"] === undefined)("a third-party MCP client", () => {
  let world: World
  let url: string
  beforeAll(async () => {
    world = await open()
    url = `${world.root}/mcp`
  })
  afterAll(async () => {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const load = async <Module>(name: string): Promise<Module> => await import(pathToFileURL(resolve(name)).href)

  /** Signs in with a client library's `auth` function. */
  const signIn = async (library: string): Promise<Assistant> => {
    const { auth } = await load<Auth>(library)
    const assistant = new Assistant()
    assert.strictEqual(await auth(assistant, { serverUrl: url }), "REDIRECT")
    const { searchParams } = await approve(await world.signedIn(world.here), assistant.wanted?.href ?? "")
    const authorizationCode = searchParams.get("code") ?? ""
    const callbackState = searchParams.get("state") ?? ""
    assert.strictEqual(await auth(assistant, { serverUrl: url, authorizationCode, callbackState }), "AUTHORIZED")
    return assistant
  }

  const seesOwnOfferings = (result: unknown) => {
    assert.include(JSON.stringify(result), "Kayak of Salida")
    assert.notInclude(JSON.stringify(result), "Nordfjord")
  }

  it("signs in and calls a tool with the AI SDK", async () => {
    const authProvider = await signIn("@ai-sdk/mcp")
    const { createMCPClient } = await load<AiSdk>("@ai-sdk/mcp")
    const client = await createMCPClient({ transport: { type: "http", url, authProvider } })
    const tools = await client.tools()
    seesOwnOfferings(await tools["offerings_list"]?.execute({}, { messages: [], toolCallId: "1" }))
    await client.close()
  })

  it("signs in and calls a tool with LangChain", async () => {
    const authProvider = await signIn("@modelcontextprotocol/sdk/client/auth.js")
    const { MultiServerMCPClient } = await load<LangChain>("@langchain/mcp-adapters")
    const client = new MultiServerMCPClient({ trailbook: { transport: "http", url, authProvider } })
    const tools = await client.getTools()
    seesOwnOfferings(await tools.find(({ name }) => name === "offerings_list")?.invoke({}))
    await client.close()
  })

  it("calls a tool with the MCP Inspector after signing in", async () => {
    const assistant = await signIn("@modelcontextprotocol/sdk/client/auth.js")
    const token = String(Object(assistant.tokens()).access_token)
    const { stdout } = await run(process.execPath, [
      join(folder, "node_modules/@modelcontextprotocol/inspector/cli/build/index.js"),
      url,
      "--transport",
      "http",
      "--header",
      `Authorization: Bearer ${token}`,
      "--method",
      "tools/call",
      "--tool-name",
      "offerings_list"
    ])
    seesOwnOfferings(JSON.parse(stdout))
  })

  it("signs in through mcp-remote and calls a tool", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [resolve("mcp-remote/dist/proxy.js"), url, String(await freePort())],
      // Without a `PATH`, `mcp-remote` cannot open a browser.
      env: { MCP_REMOTE_CONFIG_DIR: folder, HOME: folder, PATH: "" },
      stderr: "pipe"
    })
    const client = new Client({ name: "test", version: "1" })
    let log = ""
    const authorizeUrl = new Promise<string>((resolveUrl) =>
      transport.stderr?.on("data", (text) => {
        log += String(text)
        const [, link] = /visiting:\s+(http\S+)\s/.exec(log) ?? []
        if (link !== undefined) resolveUrl(link)
      })
    )
    const connection = client.connect(transport)
    const back = await approve(await world.signedIn(world.here), await authorizeUrl)
    // The callback server may start after the link has been printed.
    await expect.poll(() => fetch(back).then(({ ok }) => ok, () => false)).toBe(true)
    await connection
    seesOwnOfferings(await client.callTool({ name: "offerings_list", arguments: {} }))
    await client.close()
  })
})
