/**
 * The in-memory demo on a fixed morning, served over HTTP. Every task starts with the same data, because the tables are
 * a single immutable value that is restored between tasks.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Actor, ApiKeys, makeHostActor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import * as Instant from "@trailbook/core/time/Instant"
import { demoWeatherLayer } from "@trailbook/demo/demoWeatherLayer"
import { seedDemo } from "@trailbook/demo/seedDemo"
import { runAutomationsOnce } from "@trailbook/demo/setUpAgent"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as MemoryStorage from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import type { Tables } from "@trailbook/memory/Tables"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { makeGuestAssistant, makeMcpMount } from "@trailbook/runtime/service/mcpMount"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { FakeFiles, FakeMailer } from "@trailbook/testkit/fakes"
import { makeGuestPages } from "@trailbook/web"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"

/** The fields that the benchmark reads from a JSON response. */
export interface Answer {
  readonly [field: string]: unknown
  readonly data: ReadonlyArray<Answer>
}

export interface Demo {
  /** The MCP endpoint, and a key with all scopes. */
  readonly url: string
  readonly key: string
  /** Restores the data and the clock. `now` changes the start time, and `isPaidOnline` turns on online payments. */
  readonly restore: (now?: string, isPaidOnline?: boolean) => Promise<void>
  /** Calls an operation as the outfitter, without MCP. */
  readonly call: (name: string, input?: object) => Promise<Answer>
  /** Connects an official client over HTTP, either as the outfitter or as a guest's assistant on the booking page. */
  readonly connect: (caller?: "guest") => Promise<Client>
  readonly close: () => Promise<void>
}

/** A Wednesday, 9 a.m. in Salida. */
export const morning = "2027-05-12T15:00:00Z"

const parseInstant = (text: string) => Instant.parse(text) ?? Instant.min

export const open = async (ids = NodeIds.layer): Promise<Demo> => {
  const now = parseInstant(morning)
  const clock = await Effect.runPromise(SettableClock.make(now))
  const publicUrl = "http://127.0.0.1:4000"
  const ports = { payments: FakePayments.layer, publicUrl, files: FakeFiles.layer, ...demoWeatherLayer }
  const layer = Layer.mergeAll(engineLayer(ids, "none", ports), Layer.provide(ApiKeys.layer, ids)).pipe(
    Layer.provideMerge(Layer.provideMerge(MemoryStorage.portsLayer, MemoryDatabase.layer)),
    Layer.provideMerge(Layer.mergeAll(FakeMailer.layer, FakePayments.layer, Logger.remove(Logger.defaultLogger)))
  )
  const runtime = ManagedRuntime.make(Layer.provide(layer, Layer.setClock(clock)))
  const run = <A, E>(work: Effect.Effect<A, E, Layer.Layer.Success<typeof layer>>) =>
    runtime.runPromise(Effect.withClock(work, clock))
  const scope = Effect.runSync(Scope.make())

  const { key, org, tables } = await run(Effect.gen(function*() {
    const { org } = yield* seedDemo({ seed: 7, now, publicUrl, files: FakeFiles.layer })
    yield* runAutomationsOnce
    const { token } = yield* (yield* ApiKeys).create({ orgId: org.id, name: "bench" })
    const { read } = yield* MemoryDatabase
    return { org, key: token, tables: yield* read((tables): Tables => tables) }
  }))
  const { port } = await run(Effect.gen(function*() {
    const { routes } = yield* makeGuestPages({ publicUrl }, yield* makeGuestAssistant(publicUrl))
    const mounts = [yield* makeMcpMount(undefined)]
    // Without a client address, the booking page's limits per address do not apply. They would never reset, because the
    // clock does not advance here.
    const handler = yield* Handler.make({ mounts, routes, rateLimit: { perSecond: 0 } })
    return yield* Scope.extend(Serve.listen({ handler, port: 0, remoteAddressOf: () => undefined }), scope)
  }))
  const root = `http://127.0.0.1:${port}`
  const url = `${root}/mcp`

  return {
    url,
    key,
    restore: (at = morning, isPaidOnline = false) =>
      run(Effect.gen(function*() {
        yield* (yield* MemoryDatabase).write(() => tables)
        yield* (yield* FakePayments).connect(org.id, isPaidOnline)
        yield* clock.set(parseInstant(at))
      })),
    call: (name, input = {}) =>
      run(
        Effect.provideService(
          Effect.flatMap(Registry, (registry) => registry.run(name, input)),
          Actor,
          makeHostActor({ orgId: org.id })
        )
      ) as Promise<Answer>,
    connect: async (caller) => {
      const client = new Client({ name: "bench", version: "1" })
      const headers = caller === "guest" ? {} : { authorization: `Bearer ${key}` }
      const endpoint = caller === "guest" ? `${root}/book/${org.slug}/mcp` : url
      await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } }))
      return client
    },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}
