/**
 * The bookings that the load makes: appointments that are never full, so every request books a start time within a year
 * for one of 500 guests.
 */
import { randomUUID } from "node:crypto"
import type { Clients, LoadResult } from "./load.ts"
import type { Subject } from "./Subject.ts"

export interface Places {
  readonly offerings: ReadonlyArray<string>
  readonly starts: ReadonlyArray<string>
}

const atOnce = 50

export const openPlaces = async (subject: Pick<Subject, "call">, count: number): Promise<Places> => {
  const offerings: Array<string> = []
  while (offerings.length < count) {
    const some = Array.from(
      { length: Math.min(atOnce, count - offerings.length) },
      () =>
        subject.call("POST", "/offerings", {
          name: "Hot spring soak",
          kind: "appointment",
          capacity: 10_000,
          slot_interval_minutes: 15
        })
    )
    for (const { id } of await Promise.all(some)) offerings.push(id)
  }
  const yearAhead = new Date(Date.now() + 364 * 86_400_000).toISOString().slice(0, 10)
  const { data } = await subject.call("GET", `/offerings/${offerings[0]}/availability?to=${yearAhead}`)
  return { offerings, starts: data.slice(1).map(({ starts_at }: { starts_at: string }) => starts_at) }
}

const any = (texts: ReadonlyArray<string>): string => texts[Math.floor(Math.random() * texts.length)] ?? ""

export const guestOf = (call: number) => ({ email: `guest${call % 500}@example.com`, name: "Guest" })

export const orderOf = ({ offerings, starts }: Places, call: number) => ({
  offering_id: any(offerings),
  starts_at: any(starts),
  customer: guestOf(call),
  idempotency_key: randomUUID()
})

export const holdOf = (places: Places, call: number) => ({ ...orderOf(places, call), hold_minutes: 15 })

/** Throws if a request did not create a booking, because that would invalidate the measurement. */
export const bookedAll = <Result extends LoadResult>(result: Result, status = 201): Result => {
  if (result.statuses[status] !== result.calls) {
    throw new Error(`Some requests did not create a booking: ${JSON.stringify(result.statuses)}`)
  }
  return result
}

export const bookOverHttp = async (subject: Subject, places: Places, clients: Clients) =>
  bookedAll(
    await subject.load({
      ...clients,
      next: (call) => ({ method: "POST", path: "/v1/bookings", body: orderOf(places, call) })
    })
  )

/** Holds and confirms a place with the same client. */
export const flowOverHttp = async (subject: Subject, places: Places, clients: Clients) =>
  bookedAll(
    await subject.load({
      ...clients,
      next: (call) => ({ method: "POST", path: "/v1/bookings", body: holdOf(places, call) }),
      after: ({ id }) => ({ method: "POST", path: `/v1/bookings/${id}/confirm` })
    }),
    200
  )
