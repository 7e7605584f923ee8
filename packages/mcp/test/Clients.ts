/** The official clients for both protocol versions, connected to a handler without a network. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Actor } from "@trailbook/core/actor"
import { onTestFinished } from "vitest"
import * as Handler from "../src/http/handler.ts"
import type { ViewRenderer } from "../src/resource/views.ts"
import type { World } from "./World.ts"

export interface ConnectOptions {
  /** The URL's query string. */
  readonly query?: string
  readonly actor?: Actor["Type"]
  /** Receives every outgoing message and can drop its response. */
  readonly between?: (message: unknown, answer: () => Promise<Response>) => Promise<Response>
  /** Renders view pages. If set, the client declares support for views. */
  readonly views?: ViewRenderer
  readonly capabilities?: { readonly extensions: Record<string, Record<string, Array<string>>> }
  /** Receives every request as it arrives. */
  readonly seen?: (request: Request, body: unknown) => void
}

const info = { name: "test", version: "1" }

/** Creates a `fetch` function that calls the handler directly. */
export const fetchOf = async (
  here: World,
  { actor = here.actor, between, seen, views }: ConnectOptions = {}
): Promise<typeof fetch> => {
  const handler = await here.run(Handler.make({ version: "0.1.0", ...(views === undefined ? {} : { views }) }))
  return async (input, init) => {
    const request = new Request(input, init)
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } })
    const body: unknown = await request.clone().json()
    seen?.(request, body)
    const answer = async () => {
      const { body: text, headers, status } = await here.run(handler(request, { actor, body }))
      return new Response(text, { status, headers: { "content-type": "application/json", ...headers } })
    }
    return between === undefined ? answer() : between(body, answer)
  }
}

const urlOf = ({ query = "" }: ConnectOptions) => new URL(`http://127.0.0.1/mcp${query === "" ? "" : `?${query}`}`)

export const connectV1 = async (here: World, connecting: ConnectOptions = {}): Promise<ClientV1> => {
  const client = new ClientV1(info, { capabilities: connecting.capabilities ?? {} })
  const transport = new HttpV1(urlOf(connecting), { fetch: await fetchOf(here, connecting) })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

export const connectV2 = async (
  here: World,
  connecting: ConnectOptions = {},
  options: ConstructorParameters<typeof ClientV2>[1] = {}
): Promise<ClientV2> => {
  const client = new ClientV2(info, {
    versionNegotiation: { mode: "auto" },
    ...(connecting.capabilities === undefined ? {} : { capabilities: connecting.capabilities }),
    ...options
  })
  await client.connect(new HttpV2(urlOf(connecting), { fetch: await fetchOf(here, connecting) }))
  onTestFinished(() => client.close())
  return client
}
