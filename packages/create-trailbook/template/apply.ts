/**
 * Applies `outfitter.ts` to the database. Creates missing activities and departures, and updates changed fields. Never
 * deletes or cancels anything. A second run with the same file changes nothing.
 */
import type { OfferingsCreateInput, Outfitter } from "trailbook"

export interface Outfit {
  readonly name: string
  /** An IANA time zone. */
  readonly timezone: string
  /** An ISO 4217 code in lowercase. */
  readonly currency: string
  readonly activities: Readonly<Record<string, Activity>>
}

/**
 * The fields of `offerings.create`. Fields that the file omits can be changed in the dashboard without being
 * overwritten.
 */
type Fields = Omit<OfferingsCreateInput, "idempotency_key" | "kind" | "metadata">

export type Activity =
  | Fields & {
    readonly kind: "class"
    readonly departures: ReadonlyArray<Departures>
    /** How many weeks in advance departures are created. */
    readonly weeks_ahead: number
  }
  | Fields & { readonly kind: "rental" | "appointment"; readonly hours: ReadonlyArray<Hours> }

/** 0 is Sunday. Times are local, such as `09:30`. */
export interface Departures {
  readonly weekdays: ReadonlyArray<number>
  readonly times: ReadonlyArray<string>
}

export interface Hours {
  readonly weekdays: ReadonlyArray<number>
  readonly start_time: string
  readonly end_time: string
}

/** Creates departures that start after `now` (epoch milliseconds). */
export const apply = async (trailbook: Outfitter, outfit: Outfit, now: number): Promise<void> => {
  const { activities, ...details } = outfit
  if (isChanged(await trailbook.org.get(), details)) await trailbook.org.update(details)

  const offerings = await all((cursor) => trailbook.offerings.list({ limit: 500, ...cursor }))
  for (const [key, activity] of Object.entries(activities)) {
    const { departures, fields, hours, weeks_ahead } = partsOf(activity)
    const existing = offerings.find(({ metadata }) => metadata["key"] === key)
    const { id } = existing ??
      await trailbook.offerings.create({ ...fields, kind: activity.kind, metadata: { key } })
    if (existing !== undefined && isChanged(existing, fields)) await trailbook.offerings.update({ id, ...fields })
    if (hours !== undefined) await applyHours(trailbook, id, hours)
    await addDepartures(trailbook, id, startsOf(departures, weeks_ahead, outfit.timezone, now), now)
  }
}

const partsOf = (activity: Activity) => {
  if (activity.kind === "class") {
    const { departures, kind: _, weeks_ahead, ...fields } = activity
    return { departures, fields, hours: undefined, weeks_ahead }
  }
  const { hours, kind: _, ...fields } = activity
  return { departures: [], fields, hours, weeks_ahead: 0 }
}

const isChanged = (current: object, fields: object): boolean =>
  Object.entries(fields).some(([name, value]) => value !== undefined && Reflect.get(current, name) !== value)

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor?: string | undefined
}

const all = async <A>(page: (cursor: { readonly cursor?: string }) => Promise<Page<A>>): Promise<ReadonlyArray<A>> => {
  const items: Array<A> = []
  let cursor: string | undefined
  do {
    const { data, next_cursor } = await page(cursor === undefined ? {} : { cursor })
    items.push(...data)
    cursor = next_cursor
  } while (cursor !== undefined)
  return items
}

const applyHours = async (trailbook: Outfitter, id: string, hours: ReadonlyArray<Hours>): Promise<void> => {
  const newHours = hours.flatMap(({ weekdays, ...times }) => weekdays.map((weekday) => ({ weekday, ...times })))
  const currentHours = (await trailbook.offerings.get_hours({ id })).data
  const keysOf = (entries: typeof newHours) =>
    entries.map(({ end_time, start_time, weekday }) => `${weekday} ${start_time} ${end_time}`).sort().join()
  if (keysOf(newHours) !== keysOf([...currentHours])) await trailbook.offerings.set_hours({ id, hours: newHours })
}

/**
 * Creates missing departures. The list of existing departures includes canceled ones, so a canceled departure is not
 * created again.
 */
const addDepartures = async (
  trailbook: Outfitter,
  offering_id: string,
  starts: ReadonlyArray<string>,
  now: number
): Promise<void> => {
  const from = new Date(now).toISOString()
  const sessions = await all((cursor) => trailbook.sessions.list({ offering_id, from, limit: 500, ...cursor }))
  const existingStarts = new Set(sessions.map(({ starts_at }) => Date.parse(starts_at)))
  for (const starts_at of starts) {
    if (!existingStarts.has(Date.parse(starts_at))) await trailbook.sessions.create({ offering_id, starts_at })
  }
}

const dayMs = 24 * 60 * 60 * 1000

const startsOf = (
  departures: ReadonlyArray<Departures>,
  weeks: number,
  timezone: string,
  now: number
): ReadonlyArray<string> => {
  const today = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone: timezone }).format(now)
  const days = Array.from({ length: 7 * weeks }, (_, day) => new Date(Date.parse(today) + day * dayMs))
  return days.flatMap((day) =>
    departures.filter(({ weekdays }) => weekdays.includes(day.getUTCDay())).flatMap(({ times }) =>
      times.map((time) => instantOf(`${day.toISOString().slice(0, 10)}T${time}:00`, timezone))
    )
  ).filter((starts_at) => Date.parse(starts_at) > now)
}

/** Adds the time zone's UTC offset to a local time: `2027-05-01T09:00:00-06:00`. */
const instantOf = (local: string, timezone: string): string => {
  const zone = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" })
  const offsetAt = (instant: string) =>
    zone.formatToParts(Date.parse(instant)).find(({ type }) => type === "timeZoneName")?.value.slice(3) || "Z"
  // On the day of a clock change, the first offset may be wrong. The offset at the resulting instant is correct.
  return local + offsetAt(local + offsetAt(`${local}Z`))
}
