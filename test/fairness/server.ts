/**
 * A server in a separate process, assembled like `trailbook serve` with the default limits. It includes the worker,
 * which writes mail to a directory. The control computes availability all at once, which blocks all other requests
 * until it is done.
 */
import { Actor } from "@trailbook/core/actor"
import { slotView } from "@trailbook/core/availability"
import { Availability } from "@trailbook/core/availability/Availability"
import { listPossibleSpans, toSlots, toSpansOverlapQuery } from "@trailbook/core/availability/remainingSlots"
import { BookingStore } from "@trailbook/core/booking"
import { Offerings } from "@trailbook/core/offering/Offerings"
import { Registry } from "@trailbook/core/operation"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import { WebhookSender } from "@trailbook/core/webhook"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { makeWorkerJobs } from "@trailbook/runtime/jobs"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { makeMcpMount } from "@trailbook/runtime/service/mcpMount"
import { databaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { tasksLayer } from "@trailbook/server/tasksLayer"
import { FakeDrafter, FakeSecrets } from "@trailbook/testkit/fakes"
import * as Worker from "@trailbook/worker/Worker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { type Season, season, type Size } from "./Season.ts"

export interface Ready extends Season {
  readonly port: number
}

/**
 * Computes a year of slots all at once, three times over, because one computation takes a fast machine only 100 ms. The
 * operation is marked as light, so it bypasses the fair queue.
 */
const allAtOnce = Effect.map(
  Effect.all({ bookings: BookingStore, offerings: Offerings, registry: Registry, _: Availability }),
  ({ bookings, offerings, registry }) =>
    Registry.of({
      operations: registry.operations.map((operation) =>
        operation.name === "availability.get" ? { ...operation, chunked: false, light: true } : operation
      ),
      stream: registry.stream,
      run: (name, input) =>
        name !== "availability.get"
          ? registry.run(name, input)
          : Effect.gen(function*() {
            const { id, from, to } = input as { readonly id: string; readonly from: string; readonly to: string }
            const { orgId } = yield* Actor
            const offering = yield* offerings.get({ orgId, id })
            const facts = { offering, zone: Zone.get("America/Denver"), now: yield* currentTime, closures: [] }
            const findDayStart = (text: string, days: number) =>
              facts.zone.startOf(LocalDate.addDays(LocalDate.parse(text) ?? LocalDate.make(0), days))
            const length = { periodMinutes: 5, periods: 1 }
            const spans = listPossibleSpans(facts, { from: findDayStart(from, 0), to: findDayStart(to, 1), length })
            const query = toSpansOverlapQuery(facts, spans)
            const [overlap] = query === undefined ? [] : yield* bookings.overlapping([query])
            const computeYear = () => toSlots(facts, spans, overlap?.bookedSpans ?? []).map(slotView)
            const [data] = Array.from({ length: 3 }, computeYear)
            return { data }
          })
    })
)

/** Webhook receivers that accept everything after a 5 ms network delay. */
const willing = Layer.succeed(
  WebhookSender,
  WebhookSender.of({
    send: () => Effect.delay(Effect.succeed({ _tag: "Answered", status: 200 }), "5 millis"),
    findUrlProblem: () => Effect.succeed(undefined)
  })
)

const [url = "", size = "{}", outbox = "", kind = ""] = process.argv.slice(2)
const database = databaseUrl.read(url)
if (!("value" in database)) throw new Error(`${url} is not a database URL.`)

const startServer = Effect.gen(function*() {
  const backend = yield* loadAdapter(database.value)
  const ports = { webhooks: Layer.merge(FakeSecrets.makeFakeSecretsLayer(), willing), drafter: FakeDrafter.layer }
  const domain = yield* Layer.build(
    Layer.provideMerge(engineLayer(NodeIds.layer, backend.batches, ports), backend.storage)
  )
  return yield* Effect.gen(function*() {
    const seeded = yield* season(JSON.parse(size) as Size)
    const registry = kind === "control" ? yield* allAtOnce : yield* Registry
    const log = (entry: object): void => void JSON.stringify(entry)
    const handler = yield* Effect.provideService(
      Effect.flatMap(makeMcpMount(undefined), (mcp) => Handler.make({ log, mounts: [mcp] })),
      Registry,
      registry
    )
    const { port } = yield* Serve.listen({ handler, port: 0 })
    const publicUrl = `http://127.0.0.1:${port}`
    const tasks = tasksLayer({ database: database.value, outbox, mailFrom: "bookings@example.com" }, publicUrl)
    yield* Effect.provide(Worker.start({ ...makeWorkerJobs(), grace: "1 second" }), yield* Layer.build(tasks))
    return { ...seeded, port } satisfies Ready
  }).pipe(Effect.provide(domain))
})

const scope = Effect.runSync(Scope.make())
process.on("SIGINT", () => process.exit(0))
process.on("disconnect", () => process.exit(0))
process.on("message", () => void process.send?.({ megabytes: process.memoryUsage().rss / 2 ** 20 }))
process.send?.(await Effect.runPromise(Scope.extend(startServer, scope)))
