/** An outfitter with more demand than capacity. Most places are full most of the time until cancellations free them. */
import type { Line, Request } from "./ask.ts"
import type { Place } from "./Order.ts"

/** An offering and the places that guests can book. */
export interface Ware {
  readonly offeringId: string
  readonly kind: "class" | "appointment" | "rental"
  readonly places: ReadonlyArray<Place>
}

const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

export const outfitter = async ({ ask }: Line): Promise<ReadonlyArray<Ware>> => {
  const must = async (request: Request) => {
    const { body, status } = await ask(request)
    if (status >= 300 || status === 0) throw new Error(`${request.path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const create = async (body: Record<string, unknown>): Promise<string> =>
    (await must({ method: "POST", path: "/offerings", body })).id

  const rafting = await create({ name: "Browns Canyon", kind: "class", capacity: 12, price_cents: 8500 })
  const weekly = await must({
    method: "POST",
    path: "/sessions",
    body: { offering_id: rafting, starts_at: `${day(3)}T15:00:00Z`, repeat_weeks: 8 }
  })
  const fishing = await create({ name: "Fly fishing guide", kind: "appointment", capacity: 2, buffer_minutes: 15 })
  const kayaks = await create({ name: "Kayak", kind: "rental", capacity: 6, price_cents: 4000 })
  const starts = async (offering: string, days: number): Promise<ReadonlyArray<Place>> => {
    const path = `/offerings/${offering}/availability?from=${day(3)}&to=${day(3 + days)}`
    const { data } = await must({ method: "GET", path })
    return data.map((slot: { starts_at: string }) => ({ startsAt: slot.starts_at, sessionId: null }))
  }
  return [
    {
      offeringId: rafting,
      kind: "class",
      places: weekly.data.map((session: { id: string; starts_at: string }) => ({
        startsAt: session.starts_at,
        sessionId: session.id
      }))
    },
    { offeringId: fishing, kind: "appointment", places: await starts(fishing, 4) },
    { offeringId: kayaks, kind: "rental", places: await starts(kayaks, 12) }
  ]
}
