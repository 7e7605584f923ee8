import { makeFindClosure } from "@trailbook/core/offering/closure/Closure"
import { listOpeningWindows } from "@trailbook/core/offering/listOpeningWindows"
import { OccupancyReport } from "@trailbook/core/report/occupancyReport"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { closures } from "../generators/closure.ts"
import { daily } from "../generators/hours.ts"
import { offering } from "../generators/offering.ts"

const minuteMs = 60_000
const date = LocalDate.make(20_700)

// Closures and hours at DST changes are tested elsewhere. Here, a clock change would complicate the expected sums.
const zone = Zone.get("America/Phoenix")

const cases = FastCheck.record({
  raft: offering,
  opensAt: FastCheck.integer({ min: 0, max: 11 }),
  closesAt: FastCheck.integer({ min: 12, max: 24 }),
  spans: FastCheck.array(
    FastCheck.record({ start: FastCheck.nat(7 * 96), quarters: FastCheck.integer({ min: 1, max: 96 }) }),
    {
      maxLength: 5
    }
  )
}).chain(({ raft, ...rest }) =>
  FastCheck.record({
    raft: FastCheck.constant({
      ...raft,
      kind: "rental" as const,
      bufferMinutes: 0,
      hours: daily(rest.opensAt * 3600, rest.closesAt * 3600)
    }),
    spans: FastCheck.constant(rest.spans),
    closures: closures(LocalDate.addDays(date, 3), raft)
  })
)

describe("OccupancyReport", () => {
  it("offers and sells the open minutes outside closures, counted minute by minute", () => {
    let closedMinutes = 0
    FastCheck.assert(
      FastCheck.property(cases, ({ closures, raft, spans }) => {
        const last = LocalDate.addDays(date, 6)
        const ownClosures = closures.filter(({ offeringId, orgId }) =>
          orgId === raft.orgId && (offeringId === null || offeringId === raft.id)
        )
        const bookings = spans.map(({ quarters, start }, at) => {
          const startsAt = Instant.addMinutes(zone.startOf(date), start * 15)
          return {
            id: `booking-${at}`,
            offeringId: raft.id,
            startsAt,
            endsAt: Instant.addMinutes(startsAt, quarters * 15),
            at: startsAt,
            quantity: 1,
            totalCents: 0,
            currency: "usd",
            attendance: null,
            lines: null,
            keptCents: null
          }
        })
        const findClosure = makeFindClosure(ownClosures, zone, raft)
        let offered = 0
        let sold = 0
        for (const { close, open } of listOpeningWindows(raft.hours, zone, date, last)) {
          for (let at = open; at < close; at = Instant.make(at + 15 * minuteMs)) {
            if (findClosure(at) !== undefined) {
              closedMinutes += 15
              continue
            }
            offered += 15 * raft.capacity
            sold += 15 * bookings.filter(({ endsAt, startsAt }) => startsAt <= at && at < endsAt).length
          }
        }
        const report = new OccupancyReport({ first: date, last, zone })
        report.addHours(raft, ownClosures, bookings)
        const total = (name: "offered" | "sold") => report.rows.reduce((sum, row) => sum + row[name], 0)
        expect({ offered: total("offered"), sold: total("sold") }).toEqual({ offered, sold })
      }),
      { numRuns: runs(1000, 200) }
    )
    expect(closedMinutes).toBeGreaterThan(0)
  })
})
