import * as Offering from "@trailbook/core/offering/Offering"
import * as Org from "@trailbook/core/org/Org"
import type { Session } from "@trailbook/core/session/Session"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { makeWorld, type World } from "../world/World.ts"
import { daily } from "./hours.ts"
import { printAsJson } from "./printed.ts"
import { day } from "./zone.ts"

const settings = FastCheck.record({
  capacity: FastCheck.integer({ min: 1, max: 5 }),
  maxPerBooking: FastCheck.constantFrom(2, 5, 12),
  durationMinutes: FastCheck.constantFrom(30, 60, 75, 180, 720, 1440),
  slotIntervalMinutes: FastCheck.constantFrom(null, 15, 30, 60),
  bufferMinutes: FastCheck.constantFrom(0, 0, 15, 45),
  minNoticeMinutes: FastCheck.constantFrom(0, 0, 30),
  priceCents: FastCheck.constantFrom(0, 2500),
  hours: FastCheck.constantFrom(daily(0, 86_400), daily(9 * 3600, 17 * 3600), [
    ...daily(20 * 3600, 86_400),
    ...daily(0, 3600 * 4)
  ])
})

const session = FastCheck.record({
  startMinutes: FastCheck.integer({ min: -60, max: 3000 }),
  capacity: FastCheck.option(FastCheck.integer({ min: 1, max: 6 }))
})

const twins = ["00000000-0000-7000-8000-00000000000a", "00000000-0000-7000-8000-00000000000b"]

const idOf = (kind: string, n: number): string =>
  `${kind.padStart(8, "0")}-0000-7000-8000-${String(n).padStart(12, "0")}`

/** Two orgs whose rows share IDs, with an offering of each kind, near a DST change. One org accepts online payments. */
export const world: FastCheck.Arbitrary<World> = FastCheck.record({
  day,
  each: FastCheck.tuple(settings, settings, settings),
  sessions: FastCheck.array(session, { minLength: 2, maxLength: 5 }),
  earlyMinutes: FastCheck.nat(1440)
}).map(({ day: { date, zone }, each, earlyMinutes, sessions }) => {
  const now = Instant.addMinutes(zone.startOf(date), -earlyMinutes)
  const offerings = twins.flatMap((orgId) =>
    each.map(({ hours, ...fields }, n): Offering.Offering => {
      const kind = Offering.offeringKinds[n]!
      const offering = Offering.make({ ...fields, id: idOf("1", n), orgId, kind, name: `Any ${kind}`, createdAt: now })
      return { ...offering, maxPeriods: kind === "rental" ? 2 : 1, hours: kind === "class" ? [] : hours }
    })
  )
  return printAsJson<World>(makeWorld({
    now,
    orgs: new Map(twins.map((id, n) => {
      const orgFields = { id, name: "Org", slug: `org-${n}`, timezone: zone.name, createdAt: now }
      return [id, { org: Org.make({ ...orgFields, plan: n === 0 ? "free" : "pro" }), zone, payments: n === 1 }]
    })),
    offerings,
    sessions: twins.flatMap((orgId) =>
      sessions.map(({ capacity, startMinutes }, n): Session => {
        const { durationMinutes, id: offeringId } = offerings[0]!
        const startsAt = Instant.addMinutes(now, Math.round(startMinutes / 5) * 5)
        const endsAt = Instant.addMinutes(startsAt, durationMinutes)
        const id = idOf("2", n)
        const judgedAt = Instant.make(0)
        const rest = { status: "scheduled", notes: "", createdAt: now, judgedAt } as const
        return { id, orgId, offeringId, startsAt, endsAt, capacity, ...rest }
      })
    )
  }))
})
