/**
 * Two outfitters, one with online payment and one without. Their booking pages are served over HTTP from a SQLite file.
 * The clock moves only when it is set, and each caller has its own address.
 */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { Actor, makeHostActor, VisitorAccess } from "@trailbook/core/actor"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import * as Instant from "@trailbook/core/time/Instant"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { makeGuestAssistant } from "@trailbook/runtime/service/mcpMount"
import * as Sqlite from "@trailbook/sqlite/batchOptions"
import * as SqliteStorage from "@trailbook/sqlite/SqliteStorage"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import { makeGuestPages } from "@trailbook/web"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The fields that the tests read from a JSON response. */
export interface Answer {
  readonly [field: string]: unknown
  readonly id: string
  readonly data: ReadonlyArray<Answer>
}

/** The result that a client gets from a tool. */
export interface Result {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
  readonly isError: boolean
}

export interface Outfitter {
  readonly slug: string
  readonly id: string
  /** Calls an operation as the outfitter, without MCP. */
  readonly call: (name: string, input?: object) => Promise<Answer>
}

export interface BookingPage {
  readonly url: string
  /** The outfitter that takes online payments. */
  readonly paid: Outfitter
  /** The outfitter that takes no online payments. */
  readonly unpaid: Outfitter
  readonly set: (now: string) => Promise<void>
  readonly pay: (booking: string) => Promise<unknown>
  /** Returns the secret in a booking's emailed link. */
  readonly mailed: (of: Outfitter, booking: string) => Promise<string>
  /** Connects the official v1 client. Requests come from `address`. */
  readonly connect: (slug: string, address?: string) => Promise<Client>
  /** Connects the official v2 client. */
  readonly connectV2: (slug: string) => Promise<ClientV2>
  /** Calls a tool from `address` with a separate client. */
  readonly ask: (slug: string, tool: string, input?: object, address?: string) => Promise<Result>
  readonly close: () => Promise<void>
}

export const start = "2027-05-01T14:00:00Z"

export const call = async (client: Client | ClientV2, name: string, input: object = {}): Promise<Result> => {
  const { content, isError = false, structuredContent = {} } = CallToolResultSchema.parse(
    await client.callTool({ name, arguments: { ...input } })
  )
  return { data: structuredContent, isError, text: content.map((part) => part.type === "text" ? part.text : "").join() }
}

export const open = async (): Promise<BookingPage> => {
  const folder = await mkdtemp(join(tmpdir(), "trailbook-"))
  const scope = Effect.runSync(Scope.make())
  const clock = await Effect.runPromise(SettableClock.make(Instant.parse(start) ?? Instant.min))
  const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
    Effect.runPromise(Effect.withClock(Scope.extend(effect, scope), clock))
  const publicUrl = "https://book.example"
  const domain = await run(Layer.build(
    coreLayer({ batches: Sqlite.batchOptions }).pipe(
      Layer.provideMerge(Layer.mergeAll(
        SqliteStorage.layer({ filename: join(folder, "trailbook.sqlite") }),
        NodeIds.layer,
        FakePayments.layer,
        FakeWebhookSender.layer,
        FakeSecrets.makeFakeSecretsLayer()
      )),
      Layer.provide(Layer.setClock(clock))
    )
  ))
  const make = (name: string, plan: "free" | "pro") =>
    run(Effect.provide(
      Effect.flatMap(Orgs, (orgs) => orgs.create({ name, timezone: "America/Denver", plan })),
      domain
    )).then(({ id, slug }): Outfitter => ({
      id,
      slug,
      call: (operation, input = {}) =>
        run(Effect.provide(
          Effect.flatMap(Registry, (registry) => registry.run(operation, input)).pipe(
            Effect.provideService(Actor, makeHostActor({ orgId: id })),
            Effect.map((answer) => answer as Answer)
          ),
          domain
        ))
    }))
  const [paid, unpaid] = [await make("Salida River Co.", "pro"), await make("Nordfjord Kajakk", "free")]
  await run(Effect.provide(Effect.flatMap(FakePayments, ({ connect }) => connect(paid.id, true)), domain))
  const { port } = await run(Effect.provide(
    Effect.gen(function*() {
      const { renderNotFound, routes } = yield* makeGuestPages({ publicUrl }, yield* makeGuestAssistant(publicUrl))
      const handler = yield* Handler.make({ routes, renderNotFound, rateLimit: { perSecond: 0 } })
      return yield* Serve.listen({
        handler,
        port: 0,
        remoteAddressOf: ({ headers }) => String(headers["x-address"] ?? "192.0.2.1")
      })
    }),
    domain
  ))
  const url = `http://127.0.0.1:${port}`
  const connect: BookingPage["connect"] = async (slug, address = "192.0.2.1") => {
    const client = new Client({ name: "guest", version: "1" })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/book/${slug}/mcp`), {
        requestInit: { headers: { "x-address": address } }
      })
    )
    return client
  }

  return {
    url,
    paid,
    unpaid,
    connect,
    connectV2: async (slug) => {
      const client = new ClientV2({ name: "guest", version: "2" }, { versionNegotiation: { mode: "auto" } })
      await client.connect(new HttpV2(new URL(`${url}/book/${slug}/mcp`)))
      return client
    },
    set: (now) => Effect.runPromise(clock.set(Instant.parse(now) ?? Instant.min)),
    pay: (booking) => run(Effect.provide(Effect.flatMap(FakePayments, ({ pay }) => pay(booking)), domain)),
    mailed: ({ id }, booking) =>
      run(Effect.provide(
        Effect.flatMap(VisitorAccess, ({ sign }) => sign(id, `mailed ${booking}`)),
        domain
      )).then((text) => text.slice(0, 40)),
    ask: async (slug, tool, input, address) => {
      const client = await connect(slug, address)
      try {
        return await call(client, tool, input)
      } finally {
        await client.close()
      }
    },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await rm(folder, { recursive: true })
    }
  }
}
