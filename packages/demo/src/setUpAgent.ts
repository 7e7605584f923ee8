/**
 * Prepares the demo's ops agent: its settings, an almost empty session, and a first run that leaves proposals to
 * review. The river is above the family float's limit, so the agent proposes canceling tomorrow's float. It also
 * proposes merging the session that has a single guest into the one on the next day. Finally, it writes a morning
 * brief.
 */
import { automationsUpdate } from "@trailbook/core/automation"
import { bookingsCreate } from "@trailbook/core/booking"
import type { Operation } from "@trailbook/core/operation/Operation"
import { orgUpdate } from "@trailbook/core/org"
import { AutomationRuns } from "@trailbook/core/proposal"
import type * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import { callOperation, type OperationInput } from "./callOperation.ts"
import { type Guest, outfitter } from "./outfitter.ts"
import type { TripKey } from "./season.ts"

const zone = Zone.get(outfitter.timezone)

/** Configures the automations and books the only guest in the almost empty session. */
export const setUpAgent = ({ guest, nearlyEmptySession, now, offerings, orgId }: {
  readonly guest: Guest
  readonly now: Instant.Instant
  /** The ID of the session that only this guest has booked, which makes the agent propose to merge it. */
  readonly nearlyEmptySession: string
  readonly offerings: Readonly<Record<TripKey, string>>
  readonly orgId: string
}) =>
  Effect.gen(function*() {
    const today = zone.dateAt(now)
    const ask = <Op extends Operation.Any>(operation: Op, input: OperationInput<Op>) =>
      Effect.orDie(callOperation({ orgId, source: "dashboard" }, operation, input))

    // If the brief's usual hour is still ahead, set the hour to 0 so that a brief exists.
    if (now < zone.instantAt(today, usualBriefHour * 3600)) yield* ask(orgUpdate, { brief_hour: 0 })
    yield* ask(automationsUpdate, {
      automation: "weather",
      dial: "ask",
      settings: {
        default: { max_gust_kph: 65, thunder: true },
        offerings: {
          [offerings.brownsCanyon]: { max_flow_cfs: 4000, min_flow_cfs: 250 },
          // The limit is lower here because guides on this float must see the bridge in time.
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

/** Runs the automations once, so that proposals exist when the demo opens. The worker handles all later runs. */
export const runAutomationsOnce: Effect.Effect<void, never, AutomationRuns> = Effect.gen(function*() {
  const { claim, take } = yield* AutomationRuns
  const turns = yield* claim(automations)
  // Weather runs first, so that no guest is moved to a session that the weather automation proposes to cancel.
  const inOrder = turns.toSorted((a, b) => b.automation.localeCompare(a.automation))
  yield* Effect.forEach(inOrder, take, { discard: true })
})

const automations = 4
