/**
 * Finds contradictions that no order of the calls can explain, such as one booking with two identities, two bookings
 * with the same identity, or an unsorted list.
 */
import type { Call, SeenBooking } from "./History.ts"

/** Returns the bookings in a response. */
export const seenBy = ({ answer }: Call): ReadonlyArray<SeenBooking> => {
  if (answer?._tag === "Booking") return [answer.booking]
  return answer?._tag === "Bookings" ? answer.bookings : []
}

export interface Contradiction {
  readonly title: string
  readonly between: ReadonlyArray<Call>
}

export const contradiction = (calls: ReadonlyArray<Call>): Contradiction | undefined => {
  const byName = new Map<string, readonly [SeenBooking, Call]>()
  const byId = new Map<string, readonly [SeenBooking, Call]>()
  for (const call of calls) {
    const seen = seenBy(call)
    if (seen.some((one, at) => !inOrder(seen[at - 1], one))) {
      return { title: "A list is not sorted by start time and ID.", between: [call] }
    }
    for (const one of seen) {
      const named = byName.get(one.booking)
      if (named !== undefined && named[0].identity !== one.identity) {
        return {
          title: `${one.booking} refers to two bookings: ${named[0].identity} and ${one.identity}.`,
          between: [named[1], call]
        }
      }
      const other = byId.get(one.id)
      if (other !== undefined && other[0].booking !== one.booking) {
        return {
          title: `${other[0].booking} and ${one.booking} refer to the same booking, ${one.id}.`,
          between: [other[1], call]
        }
      }
      byName.set(one.booking, [one, call])
      byId.set(one.id, [one, call])
    }
  }
  return undefined
}

const inOrder = (before: SeenBooking | undefined, one: SeenBooking): boolean =>
  before === undefined || before.startsAt < one.startsAt || (before.startsAt === one.startsAt && before.id < one.id)
