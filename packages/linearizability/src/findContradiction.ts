/**
 * Finds contradictions that no order of the calls can explain, such as one booking with two identities, two bookings
 * with the same identity, or an unsorted list.
 */
import type { ObservedBooking, RecordedCall } from "./History.ts"

/** Returns the bookings in a response. */
export const listObservedBookings = ({ answer }: RecordedCall): ReadonlyArray<ObservedBooking> => {
  if (answer?._tag === "Booking") return [answer.booking]
  return answer?._tag === "Bookings" ? answer.bookings : []
}

export interface Contradiction {
  readonly title: string
  readonly between: ReadonlyArray<RecordedCall>
}

export const findContradiction = (calls: ReadonlyArray<RecordedCall>): Contradiction | undefined => {
  const byName = new Map<string, readonly [ObservedBooking, RecordedCall]>()
  const byId = new Map<string, readonly [ObservedBooking, RecordedCall]>()
  for (const call of calls) {
    const sightings = listObservedBookings(call)
    if (sightings.some((sighting, at) => !inOrder(sightings[at - 1], sighting))) {
      return { title: "A list is not sorted by start time and ID.", between: [call] }
    }
    for (const sighting of sightings) {
      const sameName = byName.get(sighting.booking)
      if (sameName !== undefined && sameName[0].identity !== sighting.identity) {
        return {
          title: `${sighting.booking} refers to two bookings: ${sameName[0].identity} and ${sighting.identity}.`,
          between: [sameName[1], call]
        }
      }
      const sameId = byId.get(sighting.id)
      if (sameId !== undefined && sameId[0].booking !== sighting.booking) {
        return {
          title: `${sameId[0].booking} and ${sighting.booking} refer to the same booking, ${sighting.id}.`,
          between: [sameId[1], call]
        }
      }
      byName.set(sighting.booking, [sighting, call])
      byId.set(sighting.id, [sighting, call])
    }
  }
  return undefined
}

const inOrder = (before: ObservedBooking | undefined, one: ObservedBooking): boolean =>
  before === undefined || before.startsAt < one.startsAt || (before.startsAt === one.startsAt && before.id < one.id)
