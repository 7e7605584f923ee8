/**
 * A server under measurement, in a separate process. The first argument selects its kind. The parent queries the
 * server's CPU time over the IPC channel and can have it book without HTTP.
 */
import { serve } from "@hono/node-server"
import { Actor, ApiKeys, makeHostActor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import { makeMcpMount } from "@trailbook/runtime/service/mcpMount"
import { runServer } from "@trailbook/server/runServer"
import { readSettings } from "@trailbook/server/setting/readSettings"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Hono } from "hono"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createTrailbook } from "trailbook"
import { accountsLayer, createOrg } from "trailbook/effect"
import { toNodeHandler } from "trailbook/node"
import { byHand } from "./byHand.ts"
import { domain, isVariant, type Variant } from "./domain.ts"
import { groupCommits } from "./groupCommit.ts"
import { type Clients, drive, type LoadResult } from "./load.ts"
import { holdOf, orderOf, type Places } from "./orders.ts"
import { trips } from "./trips.ts"

export interface Ready {
  readonly port: number
  readonly key: string
}

export interface Book extends Pick<Clients, "calls" | "clients" | "seconds"> {
  /**
   * Books through the operations as a request does, through the promise API as an embedding program does, or by writing
   * to the tables directly. Direct writes use two lanes with 64 bookings per commit.
   */
  readonly through: "operations" | "promises" | "tables"
  readonly places: Places
  /** Whether to hold each place first and then confirm it, instead of booking it directly. */
  readonly holds?: boolean
}

/**
 * A request from the parent: report the CPU time so far in microseconds, create bookings, or, on a bare server, set the
 * JSON to return.
 */
export type Ask =
  | { readonly ask: "cpu" }
  | { readonly ask: "book"; readonly given: Book }
  | { readonly ask: "answer"; readonly with: string }

const scope = Effect.runSync(Scope.make())
const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.extend(effect, scope))
const sendMessage = (message: object): void => void process.send?.(message)

const book = (registry: Registry["Type"], orgId: string, { holds, places, ...clients }: Book): Promise<LoadResult> => {
  const actor = makeHostActor({ orgId })
  const run = (name: string, input: unknown) => Effect.provideService(registry.run(name, input), Actor, actor)
  const runFlow = (call: number) =>
    Effect.flatMap(
      run("bookings.create", holdOf(places, call)),
      (hold) => run("bookings.confirm", { id: (hold as { id: string }).id })
    )
  const runOne = (call: number) => holds === true ? runFlow(call) : run("bookings.create", orderOf(places, call))
  return drive(clients, (call) => Effect.runPromise(Effect.as(runOne(call), 201)))
}

/** Starts the server of `trailbook serve`, without a rate limit. */
const startTrailbook = async (url: string, variant: Variant): Promise<Ready> => {
  const built = await run(Layer.build(domain(url, variant)))
  const { org, registry, token } = await run(Effect.provide(
    Effect.gen(function*() {
      const org = yield* (yield* Orgs).create({ name: "Bench River Co.", timezone: "America/Denver" })
      const { token } = yield* (yield* ApiKeys).create({ orgId: org.id, name: "bench" })
      return { org, registry: yield* Registry, token }
    }),
    built
  ))
  process.on("message", (message: Ask) => {
    if (message.ask !== "book") return
    const { given } = message
    const bookings = given.through === "tables" ? groupCommits(url, org.id, given) : book(registry, org.id, given)
    void bookings.then(sendMessage)
  })
  // Log lines are serialized as in production but not written, because the disk is not being measured.
  const log = (entry: object): void => void JSON.stringify(entry)
  const handler = await run(Effect.provide(
    Effect.flatMap(makeMcpMount(undefined), (mcp) => Handler.make({ rateLimit: { perSecond: 0 }, log, mounts: [mcp] })),
    built
  ))
  const { port } = await run(Serve.listen({ handler, port: 0 }))
  return { port, key: token }
}

/** Starts a program that embeds Trailbook. The program books directly and serves the REST API on a separate server. */
const startEmbedded = async (url: string): Promise<Ready> => {
  const trailbook = await createTrailbook({
    database: url,
    org: { name: "Bench River Co.", timezone: "America/Denver" },
    http: { rateLimitPerSecond: 0 },
    log: () => {}
  })
  const { api_key: key } = await trailbook.keys.create({ name: "bench" })
  process.on("message", (message: Ask) => {
    if (message.ask !== "book") return
    const { places, ...clients } = message.given
    void drive(clients, async (call) => {
      await trailbook.bookings.create(orderOf(places, call))
      return 201
    }).then(sendMessage)
  })
  const server = createServer(toNodeHandler(trailbook)).listen(0, "127.0.0.1")
  await once(server, "listening")
  return { port: (server.address() as AddressInfo).port, key }
}

/**
 * Starts `trailbook serve` with or without its worker. The second argument is `on` or `off`, followed by the mail
 * folder. If a metrics port is set, the server also serves metrics.
 */
const startServing = async (url: string, workerMode: string, metricsPort: string | undefined): Promise<Ready> => {
  const [worker = "", ...outbox] = workerMode.split(" ")
  const flags = {
    database: url,
    "secrets-keys": KeyRing.generate(),
    "rate-limit": "0",
    port: "0",
    worker,
    outbox: outbox.join(" "),
    ...(metricsPort === undefined ? {} : { "metrics-port": metricsPort })
  }
  const { problems, values: { json: _json, ...settings } } = readSettings("serve", new Map(Object.entries(flags)), {})
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  // Log lines are serialized as in production but not written, because the disk is not being measured.
  const { origin } = await run(runServer({ ...settings, log: { write: () => {}, flush: () => {} } }))
  const { token } = await run(Effect.provide(
    createOrg({ name: "Bench River Co.", timezone: "America/Denver" }),
    accountsLayer(settings.database)
  ))
  return { port: Number(new URL(origin).port), key: token }
}

/**
 * Starts a server with one Hono route, which serializes and returns the JSON from the parent process for each request.
 */
const startBare = (): Promise<Ready> =>
  new Promise((resolve) => {
    let answer: object = {}
    process.on("message", (message: Ask) => {
      if (message.ask === "answer") answer = JSON.parse(message.with)
    })
    const app = new Hono().get("/v1/bookings/:id", (c) => c.json(answer))
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve({ port, key: "" }))
  })

const [kind = "", url = "", variant = "grouped", metricsPort] = process.argv.slice(2)
process.on("message", (message: Ask) => {
  if (message.ask !== "cpu") return
  const { system, user } = process.cpuUsage()
  sendMessage({ cpu: system + user })
})
process.on("SIGINT", () => process.exit(0))
const servers: Record<string, () => Promise<Ready>> = {
  bare: startBare,
  byHand: () => byHand(url),
  embedded: () => startEmbedded(url),
  serving: () => startServing(url, variant, metricsPort),
  trailbook: () => startTrailbook(url, isVariant(variant) ? variant : "grouped"),
  trips: () => trips(url)
}
const server = servers[kind]
if (server === undefined) throw new Error(`Unknown kind of server: ${kind}.`)
sendMessage(await server())
