/** Tests views of tool results (MCP Apps), with the official clients for both protocol versions. */
import { assert, beforeEach, describe, it } from "vitest"
import { viewNames } from "../src/resource/views.ts"
import { type ConnectOptions, connectV1, connectV2 } from "./Clients.ts"
import { type World, world } from "./World.ts"

/** The methods that both clients share. The two client types have no common base type. */
interface Client {
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<ListedTool> }>
  readonly listResources: () => Promise<{ readonly resources: ReadonlyArray<{ readonly uri: string }> }>
  readonly readResource: (params: { uri: string }) => Promise<{ readonly contents: ReadonlyArray<object> }>
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
}

interface ListedTool {
  readonly name: string
  readonly _meta?: { readonly [key: string]: unknown } | undefined
}

const extensions = (...mimeTypes: ReadonlyArray<string>) => ({
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [...mimeTypes] } }
})
const shows = { capabilities: extensions("text/html;profile=mcp-app") }
const views = (name: string, currency: string) => `<!doctype html><p>${name} in ${currency}`

const connects = [
  ["up to 2025-11-25", (here: World, settings: ConnectOptions): Promise<Client> => connectV1(here, settings)],
  ["2026-07-28", (here: World, settings: ConnectOptions): Promise<Client> => connectV2(here, settings)]
] as const

describe.each(connects)("a client of revisions %s", (_, connect) => {
  let here: World
  beforeEach(async () => {
    here = await world()
  })

  it("finds every tool's view if the client supports views", async () => {
    const client = await connect(here, { views, ...shows })
    const { tools } = await client.listTools()
    const uris = tools.flatMap(({ _meta, name }) => _meta === undefined ? [] : [[name, _meta["ui"]] as const])
    assert.deepStrictEqual<unknown>(uris, [
      ["schedule_get", { resourceUri: "ui://trailbook/departures" }],
      ["availability_get", { resourceUri: "ui://trailbook/availability" }],
      ["bookings_get", { resourceUri: "ui://trailbook/booking" }],
      ["bookings_create", { resourceUri: "ui://trailbook/booking" }],
      ["bookings_confirm", { resourceUri: "ui://trailbook/booking" }],
      ["bookings_move", { resourceUri: "ui://trailbook/booking" }],
      ["proposals_get", { resourceUri: "ui://trailbook/proposal" }]
    ])
    for (const name of viewNames) {
      const uri = `ui://trailbook/${name}`
      assert.deepStrictEqual<unknown>((await client.readResource({ uri })).contents, [{
        uri,
        mimeType: "text/html;profile=mcp-app",
        text: `<!doctype html><p>${name} in usd`,
        _meta: {
          ui: {
            csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
            prefersBorder: false
          }
        }
      }])
    }
    const { resources } = await client.listResources()
    assert.isFalse(resources.some(({ uri }) => uri.startsWith("ui:")))
  })

  it.each([
    ["does not declare it", { views }],
    ["declares another kind of page", { views, capabilities: extensions("text/uri-list") }],
    ["is connected to a server without pages", shows]
  ])("finds no view if it %s", async (_, settings) => {
    const plain = await (await connect(here, {})).listTools()
    const client = await connect(here, settings)
    assert.deepStrictEqual(await client.listTools(), plain)
    const refusal = await client.readResource({ uri: "ui://trailbook/booking" }).then(() => undefined, String)
    assert.include(refusal, "ui://trailbook/booking")
  })

  it("receives the same results with or without views", async () => {
    const call = async (settings: ConnectOptions) =>
      await (await connect(here, settings)).callTool({ name: "schedule_get", arguments: {} })
    assert.deepStrictEqual(await call({ views, ...shows }), await call({ views }))
  })
})
