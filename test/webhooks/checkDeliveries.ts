/**
 * Compares the requests that a receiver got with its org's log. The check is a pure function, so tests can feed it
 * wrong requests and verify that it complains.
 */
import { isDeepStrictEqual } from "node:util"
import type { Arrival } from "./ReceiverServer.ts"

export interface LoggedEvent {
  readonly id: number
  readonly type: string
  readonly data: unknown
}

export interface Endpoint {
  readonly name: string
  readonly arrivals: ReadonlyArray<Arrival>
  /** The subscribed event types. `*` subscribes to all types. */
  readonly events: ReadonlyArray<string>
  /** Deliveries must start with the first subscribed event after this event. */
  readonly after: number
  /** The receiver must have accepted all events up to this event. 0 if the receiver accepts no events. */
  readonly upTo: number
}

/** A period in which a worker was killed or suspended. The event that the worker was sending may be sent again. */
export interface Strike {
  readonly from: number
  readonly to: number
  /**
   * Whether the worker was suspended for longer than its lease, so that another worker took over while its last request
   * was in progress.
   */
  readonly outlastsLease: boolean
}

/** Complaints as sentences. All lists are empty if the deliveries were correct. */
export interface Verdict {
  readonly missing: ReadonlyArray<string>
  /** Events that were sent before their predecessors were accepted, or that the receiver did not subscribe to. */
  readonly outOfOrder: ReadonlyArray<string>
  /** Requests that were sent while another request was in progress. */
  readonly overlapping: ReadonlyArray<string>
  /** Events that were sent again after they were accepted, without a strike to explain it. */
  readonly repeated: ReadonlyArray<string>
  /** Events that differ from the log. */
  readonly altered: ReadonlyArray<string>
}

export interface CheckedEndpoint {
  readonly verdict: Verdict
  readonly taken: number
  readonly failed: number
  /** Events that were sent again after they were accepted, because of an injected fault. */
  readonly duplicates: number
  readonly mostInFlight: number
}

export const nothingWrong: Verdict = { missing: [], outOfOrder: [], overlapping: [], repeated: [], altered: [] }

/** How long a worker on a busy machine can take to store a request's result. */
const noticedWithinMillis = 3000

/**
 * How long a receiver can take to answer a request of a worker that was just killed. The request can still be in the
 * receiver's socket buffer, or wait for the receiver's slow response.
 */
const answeredWithinMillis = 500

/** How long a resumed worker's last request can take to finish. */
const endedWithinMillis = 10_000

/**
 * Whether the strike can explain a repeated event. This is possible if the event was accepted shortly before or after a
 * kill, or during a suspension, because its result may not have been stored.
 */
const canExplain = ({ from, to }: Strike, takenAt: number, at: number): boolean =>
  from - noticedWithinMillis <= takenAt && takenAt <= to + answeredWithinMillis && from <= at

/**
 * Whether the request could be from a worker that was suspended for longer than its lease. Such a request may overlap
 * with another worker's request.
 */
const isStale = ({ from, outlastsLease, to }: Strike, at: number): boolean =>
  outlastsLease && from <= at && at <= to + endedWithinMillis

export const checkDeliveries = (
  { after, arrivals, events, name, upTo }: Endpoint,
  log: ReadonlyArray<LoggedEvent>,
  strikes: ReadonlyArray<Strike>
): CheckedEndpoint => {
  const wantedEvents = log.filter((event) => event.id > after && wants(events, event))
  const places = new Map(wantedEvents.map(({ id }, at) => [id, at]))
  const outOfOrder: Array<string> = []
  const repeated: Array<string> = []
  const overlapping: Array<string> = []
  const altered: Array<string> = []
  const takenAt: Array<number> = []
  const usedStrikes = new Set<Strike>()
  /**
   * Whether the strike excuses the request. A resumed worker sends at most one stale request. After that, the worker
   * finds that its claim is void.
   */
  const claimStrike = (strike: Strike): boolean => {
    const isFirst = !usedStrikes.has(strike)
    usedStrikes.add(strike)
    return isFirst
  }
  let failed = 0
  let duplicates = 0
  for (const arrival of arrivals) {
    const { at, body, endedAt = Infinity, eventId, inFlight } = arrival
    const place = places.get(eventId) ?? Infinity
    if (!isEventBody(body, wantedEvents[place])) {
      altered.push(`${name} received event ${eventId} with different content: ${body}`)
    }
    if (!isTaken(arrival)) failed++
    if (place > takenAt.length) {
      const next = wantedEvents[takenAt.length]?.id
      outOfOrder.push(`${name} got event ${eventId} where ${next ?? "nothing"} belongs`)
    } else if (place === takenAt.length) {
      if (isTaken(arrival)) takenAt.push(endedAt)
    } else {
      duplicates++
      const from = takenAt[place] ?? 0
      const isLast = place === takenAt.length - 1
      if (
        !strikes.some((strike) => isLast ? canExplain(strike, from, at) : isStale(strike, at) && claimStrike(strike))
      ) {
        const delays = strikes.map((strike) => `${strike.from - from} to ${strike.to - from} ms`)
        repeated.push(
          `${name} got event ${eventId} again, ${at - from} ms after accepting it (strikes: ${delays.join(", ")})`
        )
      }
    }
    if (inFlight > 1 && !strikes.some((strike) => isStale(strike, at))) {
      overlapping.push(`${name} had ${inFlight} requests under way at event ${eventId}`)
    }
  }
  const missingEvents = wantedEvents.slice(takenAt.length).filter(({ id }) => id <= upTo)
  return {
    verdict: {
      missing: missingEvents.map(({ id, type }) => `${name} did not get event ${id} (${type})`),
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

export const wants = (events: ReadonlyArray<string>, { type }: LoggedEvent): boolean =>
  events.includes("*") || events.includes(type)

export const isTaken = ({ status = 0 }: Arrival): boolean => status >= 200 && status < 300

const isEventBody = (body: string, event: LoggedEvent | undefined): boolean => {
  const { data, id, type } = JSON.parse(body)
  return event === undefined ||
    isDeepStrictEqual({ data, id, type }, { data: event.data, id: event.id, type: event.type })
}

export const joinVerdicts = (verdicts: ReadonlyArray<Verdict>): Verdict => ({
  missing: verdicts.flatMap(({ missing }) => missing),
  outOfOrder: verdicts.flatMap(({ outOfOrder }) => outOfOrder),
  overlapping: verdicts.flatMap(({ overlapping }) => overlapping),
  repeated: verdicts.flatMap(({ repeated }) => repeated),
  altered: verdicts.flatMap(({ altered }) => altered)
})
