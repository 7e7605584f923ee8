/**
 * Holds what a receiver got against the log of its org. It is pure, so that it can be given wrong receivers and be seen to
 * complain.
 */
import { isDeepStrictEqual } from "node:util"
import type { Arrival } from "./ReceiverServer.ts"

export interface Logged {
  readonly id: number
  readonly type: string
  readonly data: unknown
}

export interface Endpoint {
  readonly name: string
  readonly arrivals: ReadonlyArray<Arrival>
  /** What it subscribed to; `*` is everything. */
  readonly events: ReadonlyArray<string>
  /** The event that it has to begin after. */
  readonly after: number
  /** The event up to which it has to have taken everything; 0 for one that takes nothing. */
  readonly upTo: number
}

/** When a worker was killed or stood still: whoever it was sending to may get that event again. */
export interface Strike {
  readonly from: number
  readonly to: number
  /** It stood still for longer than a lease, so somebody else went on while its last request was under way. */
  readonly outlastsLease: boolean
}

/** Sentences; all empty when nothing is wrong. */
export interface Verdict {
  readonly missing: ReadonlyArray<string>
  /** Sent before the ones before it were taken, or not subscribed to. */
  readonly outOfOrder: ReadonlyArray<string>
  /** More than one request under way. */
  readonly overlapping: ReadonlyArray<string>
  /** Sent again after it was taken, though nobody was killed. */
  readonly repeated: ReadonlyArray<string>
  /** Not what the log says. */
  readonly altered: ReadonlyArray<string>
}

export interface Checked {
  readonly verdict: Verdict
  readonly taken: number
  readonly failed: number
  /** Sent again after they were taken, around kills. */
  readonly duplicates: number
  readonly mostInFlight: number
}

export const nothingWrong: Verdict = { missing: [], outOfOrder: [], overlapping: [], repeated: [], altered: [] }

/** A worker on a busy machine may have an answer for so long without having written it down. */
const noticedWithinMillis = 3000

/** And so long until its last request has come to an end. */
const endedWithinMillis = 10_000

/** What was taken just before a kill, or while who sent it stood still, was perhaps not written down. */
const explains = ({ from, to }: Strike, takenAt: number, at: number): boolean =>
  from - noticedWithinMillis <= takenAt && takenAt <= to && from <= at

/** Of who stood still for longer than a lease, a request may be under way beside another's, until a little later. */
const isStale = ({ from, outlastsLease, to }: Strike, at: number): boolean =>
  outlastsLease && from <= at && at <= to + endedWithinMillis

export const checkDeliveries = (
  { after, arrivals, events, name, upTo }: Endpoint,
  log: ReadonlyArray<Logged>,
  strikes: ReadonlyArray<Strike>
): Checked => {
  const wanted = log.filter((event) => event.id > after && wants(events, event))
  const places = new Map(wanted.map(({ id }, at) => [id, at]))
  const outOfOrder: Array<string> = []
  const repeated: Array<string> = []
  const overlapping: Array<string> = []
  const altered: Array<string> = []
  const takenAt: Array<number> = []
  const spent = new Set<Strike>()
  /** One request of the one who stood still is behind the times, and no more: then it finds that its claim is void. */
  const excused = (strike: Strike): boolean => {
    const isFirst = !spent.has(strike)
    spent.add(strike)
    return isFirst
  }
  let failed = 0
  let duplicates = 0
  for (const arrival of arrivals) {
    const { at, body, endedAt = Infinity, eventId, inFlight } = arrival
    const place = places.get(eventId) ?? Infinity
    if (!tells(body, wanted[place])) altered.push(`${name} was told otherwise of event ${eventId}: ${body}`)
    if (!isTaken(arrival)) failed++
    if (place > takenAt.length) {
      const next = wanted[takenAt.length]?.id
      outOfOrder.push(`${name} got event ${eventId} where ${next ?? "nothing"} belongs`)
    } else if (place === takenAt.length) {
      if (isTaken(arrival)) takenAt.push(endedAt)
    } else {
      duplicates++
      const from = takenAt[place] ?? 0
      const isLast = place === takenAt.length - 1
      if (!strikes.some((strike) => isLast ? explains(strike, from, at) : isStale(strike, at) && excused(strike))) {
        repeated.push(`${name} got event ${eventId} again`)
      }
    }
    if (inFlight > 1 && !strikes.some((strike) => isStale(strike, at))) {
      overlapping.push(`${name} had ${inFlight} requests under way at event ${eventId}`)
    }
  }
  const missing = wanted.slice(takenAt.length).filter(({ id }) => id <= upTo)
  return {
    verdict: {
      missing: missing.map(({ id, type }) => `${name} did not get event ${id} (${type})`),
      outOfOrder,
      overlapping,
      repeated,
      altered
    },
    taken: takenAt.length,
    failed,
    duplicates,
    mostInFlight: arrivals.reduce((most, { inFlight }) => Math.max(most, inFlight), 0)
  }
}

export const wants = (events: ReadonlyArray<string>, { type }: Logged): boolean =>
  events.includes("*") || events.includes(type)

export const isTaken = ({ status = 0 }: Arrival): boolean => status >= 200 && status < 300

const tells = (body: string, event: Logged | undefined): boolean => {
  const { data, id, type } = JSON.parse(body)
  return event === undefined ||
    isDeepStrictEqual({ data, id, type }, { data: event.data, id: event.id, type: event.type })
}

export const joined = (verdicts: ReadonlyArray<Verdict>): Verdict => ({
  missing: verdicts.flatMap(({ missing }) => missing),
  outOfOrder: verdicts.flatMap(({ outOfOrder }) => outOfOrder),
  overlapping: verdicts.flatMap(({ overlapping }) => overlapping),
  repeated: verdicts.flatMap(({ repeated }) => repeated),
  altered: verdicts.flatMap(({ altered }) => altered)
})
