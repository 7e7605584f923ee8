import type { ActionKind } from "../automation/Action.ts"

interface ExecutedAction {
  readonly kind: ActionKind
  readonly facts: { readonly [name: string]: unknown }
}

/** Returns the bookings and sessions whose guests a proposal's actions notify. */
export const notifiedGuests = (actions: ReadonlyArray<ExecutedAction>) => {
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
export const isAbout = (
  { bookingIds, sessionIds }: ReturnType<typeof notifiedGuests>,
  bookingId: string,
  sessionId: string | null
): boolean => bookingIds.includes(bookingId) || (sessionId !== null && sessionIds.includes(sessionId))

const textsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : []
