import * as Decider from "@trailbook/core/Decider"
import { type Session, sessionDecider, sessionStatuses, sessionView } from "@trailbook/core/session/Session"
import { makeSessionEvent } from "@trailbook/core/session/Sessions"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { moment } from "../generators/booking.ts"

const session: FastCheck.Arbitrary<Session> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.uuid(),
  offeringId: FastCheck.uuid(),
  startsAt: moment,
  endsAt: moment,
  capacity: FastCheck.option(FastCheck.integer({ min: 1, max: 10_000 })),
  status: FastCheck.constantFrom(...sessionStatuses),
  notes: FastCheck.string(),
  createdAt: moment,
  judgedAt: moment
})

it("cancels a session once and changes only its status", () => {
  FastCheck.assert(
    FastCheck.property(session, (session) => {
      const { events, state } = Either.getOrThrow(Decider.run(sessionDecider)(session, { _tag: "Cancel" }))
      expect(state).toEqual({ ...session, status: "cancelled" })
      expect(events).toHaveLength(session.status === "cancelled" ? 0 : 1)
      expect(events.reduce(sessionDecider.evolve, session)).toEqual(state)
      expect(Either.getOrThrow(Decider.run(sessionDecider)(state, { _tag: "Cancel" })).events).toEqual([])
      for (const { _tag } of events) {
        expect(makeSessionEvent(state, _tag, session.createdAt).data).toEqual(sessionView(state))
      }
    })
  )
})

it("rejects updates to a canceled session, and new times for a booked session", () => {
  const patch = FastCheck.record({
    capacity: FastCheck.option(FastCheck.integer({ min: 1, max: 10_000 })),
    notes: FastCheck.string(),
    startsAt: moment,
    endsAt: moment
  }, { requiredKeys: [] })
  FastCheck.assert(
    FastCheck.property(session, patch, FastCheck.nat(2), (session, patch, booked) => {
      const answer = Decider.run(sessionDecider)(session, { _tag: "Update", patch, booked })
      const isMoved = patch.startsAt !== undefined && patch.startsAt !== session.startsAt
      if (session.status === "cancelled" || (isMoved && booked > 0)) {
        expect(Either.isLeft(answer) ? answer.left.code : "").toBe(
          session.status === "cancelled" ? "session_cancelled" : "has_bookings"
        )
        return
      }
      const { events, state } = Either.getOrThrow(answer)
      expect(state).toEqual({ ...session, ...patch })
      expect(events.reduce(sessionDecider.evolve, session)).toEqual(state)
      const again = Decider.run(sessionDecider)(state, { _tag: "Update", patch, booked: 0 })
      expect(Either.getOrThrow(again).events).toEqual([])
    })
  )
})
