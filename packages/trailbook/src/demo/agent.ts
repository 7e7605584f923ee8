/**
 * The demo's ops agent: what it is set to look after, a trip that is nearly empty, and a
 * first look around, after which its proposals wait. The river of the family float is
 * over the limit for it, so tomorrow's is to be cancelled; the trip with one guest is
 * to be joined with the one of the day after; and there is a morning brief.
 */
import { automationsUpdate } from "@trailbook/core/automation/automationOperations"
import { bookingsCreate } from "@trailbook/core/booking/bookingOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import { orgUpdate } from "@trailbook/core/org/orgOperations"
import { AutomationRuns } from "@trailbook/core/proposal/AutomationRuns"
import type * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import { call, type Input } from "./call.ts"
import type { Guest } from "./guests.ts"
import { outfitter } from "./outfitter.ts"
import type { Trip } from "./season.ts"

const zone = Zone.get(outfitter.timezone)

/** Sets the automations and books the lonely guest, at the moment of the clock. */
export const agent = ({ guest, nearlyEmptySession, now, offerings, orgId }: {
  readonly guest: Guest
  readonly now: Instant.Instant
  /** A session that the guest books alone, so that the agent proposes to cancel it. */
  readonly nearlyEmptySession: string
  readonly offerings: Readonly<Record<Trip, string>>
  readonly orgId: string
}) =>
  Effect.gen(function*() {
    const today = zone.dateAt(now)
    const ask = <Op extends Operation.Any>(operation: Op, input: Input<Op>) =>
      Effect.orDie(call({ orgId, source: "dashboard" }, operation, input))

    // Whoever looks before breakfast finds a brief all the same.
    if (now < zone.instantAt(today, usualBriefHour * 3600)) yield* ask(orgUpdate, { brief_hour: 0 })
    yield* ask(automationsUpdate, {
      automation: "weather",
      dial: "ask",
      settings: {
        default: { max_gust_kph: 65, thunder: true },
        offerings: {
          [offerings.brownsCanyon]: { max_flow_cfs: 4000, min_flow_cfs: 250 },
          // It passes below a bridge that has to be seen from afar.
          [offerings.familyFloat]: { max_flow_cfs: 3000 }
        }
      }
    })
    yield* ask(automationsUpdate, {
      automation: "fill",
      dial: "ask",
      settings: { min_guests: 2, min_guests_hours: 96 }
    })
    yield* ask(automationsUpdate, { automation: "brief", dial: "ask" })
    yield* ask(automationsUpdate, { automation: "reminders", dial: "ask" })

    yield* ask(bookingsCreate, {
      offering_id: offerings.familyFloat,
      session_id: nearlyEmptySession,
      quantity: 1,
      customer: guest
    })
  })

const usualBriefHour = 6

/**
 * Has the agent look around, so that what it proposes is there before somebody looks.
 * What nobody gets to do here a worker does.
 */
export const firstLook: Effect.Effect<void, never, AutomationRuns> = Effect.gen(function*() {
  const { claim, take } = yield* AutomationRuns
  const turns = yield* claim(automations)
  // The weather before what fills trips: nobody is to be moved to one that is cancelled.
  const inOrder = turns.toSorted((a, b) => b.automation.localeCompare(a.automation))
  yield* Effect.forEach(inOrder, take, { discard: true })
})

const automations = 4
