/**
 * A server in a process of its own, as `trailbook serve` puts it together and with the limits that it has when nothing
 * is said. As the control it answers availability as was done once: all at once, whoever waits.
 */
import { Actor } from "@trailbook/core/actor/Actor"
import { Availability } from "@trailbook/core/availability/Availability"
import { slotView } from "@trailbook/core/availability/AvailabilityView"
import { overlapAll, slotsOfSpans, spansOffered } from "@trailbook/core/availability/slotsLeft"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { Offerings } from "@trailbook/core/offering/Offerings"
import { Registry } from "@trailbook/core/operation/Registry"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { moment } from "@trailbook/core/time/moment"
import * as Zone from "@trailbook/core/time/Zone"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { adapter } from "trailbook/runtime/adapter"
import { engine } from "trailbook/runtime/engine"
import * as NodeIds from "trailbook/runtime/NodeIds"
import { mcpMount } from "trailbook/server/mcpMount"
import { databaseUrl } from "trailbook/setting/databaseUrl"
import { type Season, season, type Size } from "./Season.ts"

export interface Ready extends Season {
  readonly port: number
}

/** A year of slots in one piece. The operation is another one by its way only, so nobody takes turns with it. */
const allAtOnce = Effect.map(
  Effect.all({ bookings: BookingStore, offerings: Offerings, registry: Registry, _: Availability }),
  ({ bookings, offerings, registry }) =>
    Registry.of({
      operations: registry.operations.map((operation) =>
        operation.name === "availability.get" ? { ...operation, inParts: false, light: true } : operation
      ),
      tell: registry.tell,
      run: (name, input) =>
        name !== "availability.get"
          ? registry.run(name, input)
          : Effect.gen(function*() {
            const { id, from, to } = input as { readonly id: string; readonly from: string; readonly to: string }
            const { orgId } = yield* Actor
            const offering = yield* offerings.get({ orgId, id })
            const facts = { offering, zone: Zone.get("America/Denver"), now: yield* moment }
            const instant = (text: string, days: number) =>
              facts.zone.startOf(LocalDate.addDays(LocalDate.parse(text) ?? LocalDate.make(0), days))
            const length = { periodMinutes: 5, periods: 1 }
            const spans = spansOffered(facts, { from: instant(from, 0), to: instant(to, 1), length })
            const query = overlapAll(facts, spans)
            const [touched] = query === undefined ? [] : yield* bookings.overlapping([query])
            return { data: slotsOfSpans(facts, spans, touched?.taken ?? []).map(slotView) }
          })
    })
)

const [url = "", size = "{}", kind = ""] = process.argv.slice(2)
const database = databaseUrl.read(url)
if (!("value" in database)) throw new Error(`${url} is no database.`)

const started = Effect.gen(function*() {
  const found = yield* adapter(database.value)
  const domain = yield* Layer.build(Layer.provideMerge(engine(NodeIds.layer, found.desk), found.storage))
  return yield* Effect.gen(function*() {
    const seeded = yield* season(JSON.parse(size) as Size)
    const registry = kind === "control" ? yield* allAtOnce : yield* Registry
    const log = (entry: object): void => void JSON.stringify(entry)
    const handler = yield* Effect.provideService(
      Effect.flatMap(mcpMount(undefined), (mcp) => Handler.make({ log, mounts: [mcp] })),
      Registry,
      registry
    )
    const { port } = yield* Serve.listen({ handler, port: 0 })
    return { ...seeded, port } satisfies Ready
  }).pipe(Effect.provide(domain))
})

const scope = Effect.runSync(Scope.make())
process.on("SIGINT", () => process.exit(0))
process.on("disconnect", () => process.exit(0))
process.on("message", () => void process.send?.({ megabytes: process.memoryUsage().rss / 2 ** 20 }))
process.send?.(await Effect.runPromise(Scope.extend(started, scope)))
