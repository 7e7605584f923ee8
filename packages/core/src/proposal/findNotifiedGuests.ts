import * as Effect from "effect/Effect"
import type { ActionKind } from "../automation/Action.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { SessionStore } from "../session/Session.ts"
import type { Proposal } from "./Proposal.ts"

interface ExecutedAction {
  readonly kind: ActionKind
  readonly facts: { readonly [name: string]: unknown }
}

/** Returns the bookings and sessions whose guests a proposal's actions notify. */
export const findNotifiedGuests = (actions: ReadonlyArray<ExecutedAction>) => {
  const notified = actions.filter(({ kind }) => kind !== "create_session").map(({ facts }) => facts)
  return {
    sessionIds: [...new Set(notified.flatMap(({ session_id }) => textsIn([session_id])))],
    bookingIds: [
      ...new Set(
        notified.flatMap(({ booking_id, booking_ids }) => [...textsIn([booking_id]), ...textsIn(booking_ids)])
      )
    ]
  }
}

/** Returns whether the actions notify a booking's guest. */
export const isGuestNotified = (
  { bookingIds, sessionIds }: ReturnType<typeof findNotifiedGuests>,
  bookingId: string,
  sessionId: string | null
): boolean => bookingIds.includes(bookingId) || (sessionId !== null && sessionIds.includes(sessionId))

const textsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : []

/**
 * Marks pending reminders as expired if their departure is canceled. A departure without a session is canceled if all
 * of its bookings are canceled. A reminder that is being sent stays pending. Does not change the stored proposals. All
 * sessions are read in one query, and all bookings in another.
 */
export const makeExpireCanceledReminders = Effect.gen(function*() {
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
