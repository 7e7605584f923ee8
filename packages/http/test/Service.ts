/** A complete in-memory service on a free loopback port, with an outfitter and an API key. */
import type { ApiKeyScope } from "@trailbook/core/actor"
import * as ApiKeysModule from "@trailbook/core/actor/ApiKeys"
import { FileLinks, GuestConversations } from "@trailbook/core/conversation"
import { Attachments, type Files, FileStore } from "@trailbook/core/file"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeDrafter, FakeFiles, FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Handler from "../src/handler.ts"
import type { LogEntry } from "../src/LogEntry.ts"
import { attachmentRoutes } from "../src/request/attachmentRoutes.ts"
import { listen, type Options as ListenOptions } from "../src/serve.ts"

export interface Options extends Omit<Handler.Options, "log"> {
  readonly clock?: Clock.Clock
  readonly listen?: Partial<ListenOptions>
  /** Replaces the testkit's fake file storage. */
  readonly files?: Layer.Layer<Files>
  /** Replaces the service's own operations. */
  readonly registry?: Layer.Layer<Registry>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text parsed as JSON, or `undefined` if the text is empty. */
  readonly json: unknown
}

export interface RequestOptions {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** The API key. `null` sends no key. Default: a key with all scopes. */
  readonly key?: string | null
}

export interface Service {
  readonly port: number
  readonly url: string
  readonly orgId: string
  readonly key: string
  readonly log: ReadonlyArray<LogEntry>
  readonly registry: Registry["Type"]
  readonly handler: Handler.Handler
  readonly newKey: (
    input?: { readonly scopes?: ReadonlyArray<ApiKeyScope>; readonly expiresAt?: Instant }
  ) => Promise<string>
  /** Creates an API key for another outfitter. */
  readonly strangersKey: () => Promise<string>
  /** The fake file storage. */
  readonly shelf: FakeFiles["Type"]
  readonly store: FileStore["Type"]
  /** Writes a message as the guest on the booking's page. */
  readonly write: (bookingId: string, body: string) => Promise<unknown>
  readonly revoke: (key: string) => Promise<void>
  readonly ask: (method: string, path: string, requestOptions?: RequestOptions) => Promise<Answer>
  /** Shuts down the way a real server does. Can be called more than once. */
  readonly close: () => Promise<void>
}

const engine = coreLayer({ batches: { concurrency: 1, maxBatchSize: 64 } }).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Memory.layer,
      FakeDrafter.layer,
      Payments.layerNone,
      FakeWebhookSender.layer,
      FakeFiles.layer,
      FakeSecrets.makeFakeSecretsLayer(),
      TestIds.layer(1)
    )
  )
)

export const start = async (
  { clock, files, listen: address, registry, ...options }: Options = {}
): Promise<Service> => {
  const scope = Effect.runSync(Scope.make())
  const log: Array<LogEntry> = []
  const write = (entry: LogEntry) => void log.push(entry)
  const program = Effect.gen(function*() {
    const keys = yield* ApiKeysModule.ApiKeys
    const orgs = yield* Orgs
    const defaultRegistry = yield* Registry
    const servedRegistry = registry === undefined ? defaultRegistry : yield* Effect.provide(Registry, registry)
    const org = yield* orgs.create({ name: "Rapid Rivers", timezone: "America/Denver" })
    const { token } = yield* keys.create({ orgId: org.id, name: "test" })
    const guests = yield* GuestConversations
    const shelf = yield* FakeFiles
    const store = yield* FileStore
    const attachmentsLayer = files === undefined ? Attachments.layer : Layer.provide(Attachments.layer, files)
    const routes = yield* Effect.provide(attachmentRoutes, Layer.provideMerge(FileLinks.layer, attachmentsLayer))
    const make = Effect.provideService(Handler.make({ routes, ...options, log: write }), Registry, servedRegistry)
    const handler = yield* clock === undefined ? make : Effect.withClock(make, clock)
    const { port } = yield* listen({ handler, port: 0, log: write, ...address })
    return { guests, handler, keys, org, orgs, own: servedRegistry, port, shelf, store, token }
  })
  const { guests, handler, keys, org, orgs, own, port, shelf, store, token } = await Effect.runPromise(
    program.pipe(Effect.provide(engine), Scope.extend(scope))
  )
  const url = `http://127.0.0.1:${port}`
  return {
    port,
    url,
    orgId: org.id,
    key: token,
    log,
    registry: own,
    handler,
    newKey: async (input = {}) => {
      const { token } = await Effect.runPromise(keys.create({ orgId: org.id, name: "another", ...input }))
      return token
    },
    strangersKey: () =>
      Effect.runPromise(
        Effect.flatMap(
          orgs.create({ name: "Other River", timezone: "America/Denver" }),
          ({ id }) => Effect.map(keys.create({ orgId: id, name: "theirs" }), ({ token }) => token)
        )
      ),
    shelf,
    store,
    write: (id, body) => Effect.runPromise(guests.write({ orgId: org.id, id }, { body })),
    revoke: async (key) => void await Effect.runPromise(keys.revoke(org.id, key.slice(8, 20))),
    ask: (method, path, requestOptions) => ask(url, method, path, { key: token, ...requestOptions }),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const ask = async (
  url: string,
  method: string,
  path: string,
  { body, headers, key }: RequestOptions
): Promise<Answer> => {
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(key === null || key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: text === "" ? undefined : parse(text) }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a response's error and asserts that it has exactly the standard format. */
export const errorOf = ({ json }: Pick<Answer, "json">): { readonly code: string; readonly message: string } => {
  const { error, ...others } = json as { readonly error: { readonly code: string; readonly message: string } }
  const { code, message, ...rest } = error
  if (Object.keys({ ...others, ...rest }).length > 0) throw new Error(`More than an error: ${JSON.stringify(json)}`)
  if (typeof code !== "string" || typeof message !== "string") throw new Error(`No error: ${JSON.stringify(json)}`)
  return { code, message }
}
