import * as Effect from "effect/Effect"
import { BookingStore } from "../booking/BookingStore.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { SessionStore } from "../session/SessionStore.ts"
import type { Proposal } from "./Proposal.ts"

/**
 * Marks pending reminders as expired if their departure is canceled. A departure without a session is canceled if all
 * of its bookings are canceled. A reminder that is being sent stays pending. Stored proposals do not change. All
 * sessions are read in one query, and all bookings in another.
 */
export const canceledDepartures = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const sessions = yield* SessionStore

  return (proposals: ReadonlyArray<Proposal>): Effect.Effect<ReadonlyArray<Proposal>> =>
    Effect.gen(function*() {
      const pending = proposals.filter(isUnsentReminder)
      if (pending.length === 0) return proposals
      const sessionRows = yield* sessions.find(pending.flatMap(sessionKey))
      const records = yield* bookings.find(pending.flatMap(bookingKeys))
      const live = new Set([
        ...sessionRows.flatMap(({ id, status }) => status === "scheduled" ? [id] : []),
        ...records.flatMap(({ booking: { id, status } }) => status === "cancelled" ? [] : [id])
      ])
      const isLive = (proposal: Proposal) =>
        [...sessionKey(proposal), ...bookingKeys(proposal)].some(({ id }) => live.has(id))
      return proposals.map((proposal) =>
        isUnsentReminder(proposal) && !isLive(proposal) ? { ...proposal, status: "expired" as const } : proposal
      )
    })
})

const isUnsentReminder = ({ actions, automation, status }: Proposal): boolean =>
  status === "pending" && automation === "reminders" && actions.every(({ result }) => result === undefined)

const sessionKey = ({ orgId, sessionId: id }: Proposal): ReadonlyArray<OrgKey> => id === null ? [] : [{ orgId, id }]

const bookingKeys = ({ actions, orgId, sessionId }: Proposal): ReadonlyArray<OrgKey> =>
  sessionId !== null ? [] : actions.flatMap(({ facts: { booking_id: id } }) => id === undefined ? [] : [{ orgId, id }])
