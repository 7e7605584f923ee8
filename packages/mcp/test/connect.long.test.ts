/**
 * Tests the setup page for assistants, and the metadata for registries and clients. Each code block is tested exactly
 * as it appears.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { toolsets } from "@trailbook/core/operation/Operation"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { cli, env, install, type Installation } from "./Program.ts"

const root = join(import.meta.dirname, "../../..")
const page = readFileSync(join(root, "docs/how-to/connect-an-assistant.md"), "utf8")
const blocks = (language: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm")), ([, block = ""]) => block)
const json = (...path: ReadonlyArray<string>): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, ...path), "utf8"))

interface Entry {
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly command?: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Record<string, string>
}

let here: Installation
beforeAll(async () => {
  here = await install()
})
afterAll(() => here.stop())

/** Replaces placeholders, the way a reader or client would. */
const fillIn = (text: string): string =>
  text
    .replaceAll("https://book.example.com", here.origin)
    .replaceAll(/tb_live_your_key|\$\{(env:|input:)?(TRAILBOOK_KEY|trailbook_key)\}/g, here.outfitter.api_key)
    .replaceAll("sqlite:/home/you/trailbook.sqlite", here.database)
    .replaceAll("salida-river-co", here.outfitter.slug)

const connectClient = async (entry: Entry): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" })
  if (entry.url === undefined) {
    // Run the package from the repository, as npx would.
    const [yes, name, ...args] = entry.args ?? []
    assert.deepStrictEqual([entry.command, yes, name], ["npx", "-y", "@trailbook/cli"])
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [cli, ...args], env: { ...env, ...entry.env } })
    )
  } else {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(entry.url), { requestInit: { headers: entry.headers ?? {} } })
    )
  }
  onTestFinished(() => client.close())
  return client
}

const works = async (client: Client): Promise<ReadonlyArray<string>> => {
  const { structuredContent } = await client.callTool({ name: "org_get", arguments: {} })
  assert.deepInclude(structuredContent, { id: here.outfitter.org_id })
  return (await client.listTools()).tools.map(({ name }) => name)
}

describe("the connection guide", () => {
  it("contains only configurations that connect to the outfitter", async () => {
    const configurations = blocks("json").map((block): Record<string, Record<string, Entry>> =>
      JSON.parse(fillIn(block))
    )
    assert.lengthOf(configurations, 5)
    for (const configuration of configurations) {
      const entry = (configuration.mcpServers ?? configuration.servers)?.trailbook
      const tools = await works(await connectClient(entry ?? {}))
      assert.include(tools, "bookings_create")
      if (entry?.url?.includes("toolsets=bookings") === true) assert.notInclude(tools, "org_update")
    }
  })

  it("shows the correct Claude Code command", () => {
    const line = blocks("sh").find((block) => block.startsWith("claude ")) ?? ""
    assert.strictEqual(
      line.trim(),
      "claude mcp add --transport http trailbook https://book.example.com/mcp --header \"Authorization: Bearer tb_live_your_key\""
    )
  })

  it("shows working commands to create a key and send a request", () => {
    const findBlock = (word: string) => blocks("sh").find((block) => block.startsWith(word)) ?? ""
    const [keys, request] = [findBlock("trailbook keys"), findBlock("curl")]
    const output = execFileSync("sh", [
      "-c",
      fillIn(keys).replace(/^trailbook/, `"${process.execPath}" "${cli}"`)
        .replace("sqlite:trailbook.sqlite", here.database)
    ], { env, encoding: "utf8" })
    assert.match(output, /tb_live_\w{50}/)
    const answer = execFileSync("sh", ["-c", fillIn(request).replace(/^curl/, "curl -s")], { env, encoding: "utf8" })
    assert.deepStrictEqual(JSON.parse(answer).result.structuredContent, { data: [], note: "No offerings at all." })
  })

  it("lists every tool group, prompt, and resource", async () => {
    const client = await connectClient({
      url: `${here.origin}/mcp`,
      headers: { authorization: `Bearer ${here.readKey}` }
    })
    const { prompts } = await client.listPrompts()
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    const names = [
      ...toolsets,
      ...prompts.map(({ name }) => name),
      ...resources.map(({ uri }) => uri),
      ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)
    ]
    for (const name of names) assert.include(page, `\`${name}\``)
    assert.include(page, `toolsets=${toolsets.join(",")}`)
  })
})

describe("registry metadata", () => {
  it("in server.json, matches the published package and its settings", async () => {
    const server = json("server.json")
    const manifest = json("packages/cli/package.json")
    assert.strictEqual(server.name, manifest.mcpName)
    assert.strictEqual(server.version, manifest.version)
    assert.isAtMost(String(server.description).length, 100)
    const [published] = server.packages as ReadonlyArray<{
      readonly identifier: string
      readonly version: string
      readonly packageArguments: ReadonlyArray<{ readonly value: string }>
      readonly environmentVariables: ReadonlyArray<{ readonly name: string; readonly isSecret?: boolean }>
    }>
    assert.strictEqual(published?.identifier, manifest.name)
    assert.strictEqual(published?.version, manifest.version)
    const help = execFileSync(process.execPath, [cli, "mcp", "--help"], { env, encoding: "utf8" })
    for (const { isSecret, name } of published?.environmentVariables ?? []) {
      assert.include(help, name)
      assert.strictEqual(isSecret === true, name.includes("KEY"))
    }
    const args = published?.packageArguments.map(({ value }) => value) ?? []
    await works(
      await connectClient({
        command: "npx",
        args: ["-y", "@trailbook/cli", ...args],
        env: { TRAILBOOK_URL: here.origin, TRAILBOOK_KEY: here.outfitter.api_key, TRAILBOOK_READ_ONLY: "false" }
      })
    )
  })

  it("starts the desktop bundle with the user's settings", async () => {
    const folder = join(here.folder, "bundle")
    mkdirSync(folder)
    execFileSync(process.execPath, [join(root, "packages/mcp/mcpb/stage.js"), folder])
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))
    assert.strictEqual(manifest.version, json("packages/mcp/package.json").version)
    assert.isTrue(manifest.user_config.api_key.sensitive)
    const values: Record<string, string> = {
      "user_config.url": `${here.origin}/`,
      "user_config.api_key": here.outfitter.api_key,
      "user_config.read_only": "true",
      __dirname: folder
    }
    const start = JSON.parse(
      JSON.stringify(manifest.server.mcp_config).replaceAll(/\$\{([\w.]+)\}/g, (_, name: string) => values[name] ?? "")
    )
    assert.strictEqual(start.command, "node")
    const client = new Client({ name: "test", version: "1" })
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: start.args, env: { ...env, ...start.env } })
    )
    onTestFinished(() => client.close())
    const tools = await works(client)
    assert.include(tools, "bookings_list")
    assert.notInclude(tools, "bookings_create")
  })

  it("causes the desktop bundle to report missing settings", () => {
    const file = join(root, "packages/mcp/dist/bundle.js")
    assert.throws(
      () => execFileSync(process.execPath, [file], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
      /Set the server URL and an API key/
    )
  })
})
