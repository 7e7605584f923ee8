/**
 * Plays random histories on the memory adapter, and on adapters that each lack one of its guards. The unguarded
 * adapters must produce histories that no sequential order explains.
 */
import { BookingStore } from "@trailbook/core/booking"
import { OfferingStore } from "@trailbook/core/offering"
import { SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import { checkLinearizable, findUnexplainedHistory, linearizability } from "@trailbook/linearizability"
import type { History, RecordedCall } from "@trailbook/linearizability/History"
import { recordHistory, type ServerOptions } from "@trailbook/linearizability/recordHistory"
import { makeScript } from "@trailbook/linearizability/script"
import * as Memory from "@trailbook/memory"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { isLong, runs, sample } from "../../../test/runs.ts"
import { breakPort, dropJudgedAt, storingBookings } from "./brokenStorage.ts"
import * as ReadCommitted from "./readCommitted.ts"

linearizability("memory", Memory.layer, { runs: runs(200, 5, 40) })

linearizability("memory", Memory.layer, { clocksDiffer: true, runs: runs(20, 2) })

linearizability("memory under READ COMMITTED with row locks", ReadCommitted.layer("sorted"), {
  runs: runs(20, 2)
})

const servers: ServerOptions = { batches: { concurrency: 2, maxBatchSize: 64 }, processes: 2 }

const histories = (storage: Layer.Layer<Storage>, seed: number) =>
  Effect.runPromise(
    Effect.provide(
      Effect.map(recordHistory(makeScript(seed), servers), ({ histories }) => histories),
      Layer.fresh(storage)
    )
  )

it.runIf(isLong)("generated scripts produce concurrent histories that contain every operation", async () => {
  const calls: Array<RecordedCall> = []
  for (let seed = 1; seed <= 8; seed++) {
    for (const history of await histories(Memory.layer, seed)) calls.push(...history.calls)
  }
  const outcomes = new Set(
    calls.map(({ answer, operation }) =>
      `${operation._tag} ${answer?._tag === "Refused" ? answer.code : answer === undefined ? "unheard" : "answered"}`
    )
  )
  assert.includeMembers([...outcomes], [
    "Availability answered",
    "Book answered",
    "Book idempotency_conflict",
    "Book not_found",
    "Book slot_full",
    "Book slot_unavailable",
    "Book unheard",
    "Cancel answered",
    "Cancel not_found",
    "Cancel unheard",
    "Confirm answered",
    "Confirm booking_cancelled",
    "Confirm hold_expired",
    "Confirm not_found",
    "Confirm unheard",
    "Get answered",
    "Get not_found",
    "List answered",
    "Move answered",
    "Move booking_cancelled",
    "Move hold_expired",
    "Move not_found",
    "Move slot_full",
    "Move slot_unavailable",
    "Move unheard"
  ])
  const unheard = calls.filter(({ answer }) => answer === undefined)
  assert.isAbove(unheard.length, calls.length / 50)
})

const overlaps = ({ calls }: History): number =>
  calls.reduce(
    (sum, one) =>
      sum +
      calls.filter((other) => other !== one && other.invoked < one.returned && one.invoked < other.returned).length,
    0
  ) / calls.length

it("generated scripts produce overlapping calls for one offering", async () => {
  for (const history of await histories(Memory.layer, 9)) assert.isAbove(overlaps(history), 2)
})

const unguarded: ReadonlyArray<readonly [what: string, storage: Layer.Layer<Storage>]> = [
  ["runs transactions without isolation", Memory.layerUnguarded],
  ["does not lock rows", ReadCommitted.layer("none")],
  [
    "finds no bookings by idempotency key",
    breakPort(BookingStore, () => ({ findByIdempotencyKey: () => Effect.succeed([]) }))
  ],
  [
    "counts expired holds",
    breakPort(
      BookingStore,
      ({ overlapping }) => ({
        overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
      })
    )
  ],
  [
    "omits an overlapping booking",
    breakPort(BookingStore, ({ overlapping }) => ({
      overlapping: (queries) =>
        Effect.map(
          overlapping(queries),
          (overlaps) => overlaps.map((overlap) => ({ ...overlap, bookedSpans: overlap.bookedSpans.slice(1) }))
        )
    }))
  ],
  [
    "omits the last booking in a list",
    breakPort(BookingStore, ({ list }) => ({ list: (query) => Effect.map(list(query), (rows) => rows.slice(0, -1)) }))
  ],
  [
    "loses every write that contains only one booking",
    storingBookings((bookings) => bookings.length === 1 ? [] : bookings)
  ]
]

describe("the checker detects storage that", () => {
  it.each(sample(unguarded, 3))("%s", async (_what, storage) => {
    const search = findUnexplainedHistory({ seed: 1, runs: 12 })
    assert.isDefined(await Effect.runPromise(Effect.provide(search, Layer.fresh(storage))))
  })
})

/** Discards the recorded expiry of places, so servers with different clocks disagree about expired holds. */
const forgetful = Layer.provideMerge(
  Layer.mergeAll(
    Layer.effect(OfferingStore, Effect.map(OfferingStore, (store) => ({ ...store, put: dropJudgedAt(store.put) }))),
    Layer.effect(SessionStore, Effect.map(SessionStore, (store) => ({ ...store, put: dropJudgedAt(store.put) })))
  ),
  Memory.layer
)

it(
  "the checker detects storage that loses a place's recorded hold expiry",
  async () => {
    const findHistory = (clocksDiffer: boolean, cases: number) =>
      Effect.runPromise(
        Effect.provide(findUnexplainedHistory({ seed: 1, runs: cases, clocksDiffer }), Layer.fresh(forgetful))
      )
    assert.isDefined(await findHistory(true, 12))
    assert.isUndefined(await findHistory(false, runs(12, 3)))
  }
)

it("a failure prints a short history and the options to replay it", async () => {
  const playing = checkLinearizable({ seed: 1, runs: 12 })
  const exit = await Effect.runPromiseExit(Effect.provide(playing, Layer.fresh(ReadCommitted.layer("none"))))
  assert.isTrue(Exit.isFailure(exit))
  const report = Exit.isFailure(exit) ? Cause.pretty(exit.cause).split("\n") : []
  assert.match(report[0] ?? "", /No order of these calls explains their responses/)
  assert.isBelow(report.filter((line) => line.startsWith("client ")).length, 25)
  assert.isTrue(report.some((line) => /^To reproduce: \{ seed: \d+, runs: 1 \}$/.test(line)), report.join("\n"))
})
