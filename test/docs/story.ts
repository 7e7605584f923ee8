/**
 * Runs a documentation page that tells a story in requests. Each `http` block is sent to the service in order, and the
 * response must match the `json` block that follows. The service uses memory storage and a clock that the page sets.
 *
 * Within a block, `###` separates two requests. A line that starts with `#` is a directive for the next request:
 * `# At <instant>` sets the clock, and `# {name}` assigns a name to the created resource's ID.
 */
import { ApiKeys } from "@trailbook/core/actor"
import { Bookings } from "@trailbook/core/booking"
import { coreLayer } from "@trailbook/core/layer"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as Handler from "@trailbook/http/handler"
import * as Memory from "@trailbook/memory"
import { FakeSecrets, FakeWebhookSender, SettableClock, TestIds } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert } from "vitest"
import type { Page } from "./Page.ts"
import { assertShows } from "./shows.ts"

interface StoryRequest {
  readonly at: Instant.Instant | undefined
  readonly name: string | undefined
  readonly method: string
  readonly path: string
  readonly body: string
}

interface Scene {
  readonly requests: ReadonlyArray<StoryRequest>
  /** The expected response to the last request. If undefined, any successful response passes. */
  readonly shown: string | undefined
}

/** Sends a page's requests and returns their number. */
export const tell = (page: Page): Promise<number> =>
  Effect.runPromise(Effect.gen(function*() {
    const scenes = listScenes(page)
    const start = scenes[0]?.requests[0]?.at
    if (start === undefined) throw new Error(`${page.path} does not say when it begins`)
    const clock = yield* SettableClock.make(start)
    // The service's background work keeps the clock that was current when the service was built.
    return yield* Effect.withClock(Effect.provide(runScenes(page.path, scenes, clock), service), clock)
  }))

const service = coreLayer({ batches: { concurrency: 1, maxBatchSize: 64 } }).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Memory.layer,
      Payments.layerNone,
      FakeWebhookSender.layer,
      FakeSecrets.makeFakeSecretsLayer(),
      TestIds.layer(1)
    )
  )
)

const runScenes = (path: string, scenes: ReadonlyArray<Scene>, clock: SettableClock.SettableClock) =>
  Effect.gen(function*() {
    const bookings = yield* Bookings
    const { handler, token } = yield* setup
    const ids = new Map<string, string>()
    const insertIds = (text: string) =>
      text.replace(/\{(\w+)\}/g, (_, name: string) => {
        const id = ids.get(name)
        if (id === undefined) throw new Error(`${path}: {${name}} is not there yet`)
        return id
      })

    const send = ({ at, body, method, name, path }: StoryRequest) =>
      Effect.gen(function*() {
        if (at !== undefined) yield* clock.set(at)
        // A worker does this work periodically.
        yield* bookings.sweep(100)
        const request = new Request(`http://127.0.0.1${insertIds(path)}`, {
          method,
          headers: { "authorization": `Bearer ${token}`, "content-type": "application/json" },
          ...(body === "" ? {} : { body: insertIds(body) })
        })
        const response = yield* Effect.promise(async () => handler(request))
        const answer: unknown = yield* Effect.promise(() => response.json())
        if (name !== undefined) ids.set(name, getId(answer))
        return { answer, status: response.status }
      })

    for (const { requests, shown } of scenes) {
      const answers = yield* Effect.forEach(requests, send)
      const where = `${path}: ${requests.map(({ method, path }) => `${method} ${path}`).join(", ")}`
      for (const { answer, status } of shown === undefined ? answers : answers.slice(0, -1)) {
        assert.isBelow(status, 300, `${where} ${JSON.stringify(answer)}`)
      }
      if (shown !== undefined) assertShows(JSON.parse(insertIds(shown)), answers.at(-1)?.answer, where)
    }
    return scenes.flatMap(({ requests }) => requests).length
  })

const setup = Effect.gen(function*() {
  const keys = yield* ApiKeys
  const orgs = yield* Orgs
  const org = yield* orgs.create({ name: "Salida River Co.", timezone: "America/Denver" })
  const { token } = yield* keys.create({ orgId: org.id, name: "page" })
  return { handler: yield* Handler.make(), token }
})

/** Returns the created resource's ID. Sessions are created as a list, so this returns the ID of the first one. */
const getId = (answer: unknown): string => {
  const { data: [first] = [], id = first?.id } = Object(answer)
  assert.isString(id, JSON.stringify(answer))
  return id
}

const listScenes = ({ blocks }: Page): ReadonlyArray<Scene> =>
  blocks.flatMap(({ language, text }, index) => {
    const next = blocks[index + 1]
    return language === "http"
      ? [{
        requests: text.split(/^###\n/m).map(parseRequest),
        shown: next?.language === "json" ? next.text : undefined
      }]
      : []
  })

const parseRequest = (text: string): StoryRequest => {
  const lines = text.trim().split("\n")
  const notes = lines.filter((line) => line.startsWith("#")).join("\n")
  const [first = "", ...rest] = lines.filter((line) => !line.startsWith("#"))
  const [, method = "", path = ""] = /^(GET|POST|PUT|PATCH|DELETE) (\/v1\/\S+)$/.exec(first) ?? []
  if (method === "") throw new Error(`That is no request: ${first}`)
  const at = /^# At (\S+Z)\b/m.exec(notes)?.[1]
  return {
    at: at === undefined ? undefined : Instant.parse(at),
    name: /^# \{(\w+)\}/m.exec(notes)?.[1],
    method,
    path,
    body: rest.join("\n").trim()
  }
}
