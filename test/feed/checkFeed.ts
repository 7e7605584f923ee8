/**
 * Compares the pages that a client received with the final log. The check is a pure function, so tests can feed it
 * wrong pages and verify that it complains.
 */
import type { Page } from "./read.ts"

/** An event in the final log. */
export interface LoggedEvent {
  readonly id: number
  readonly type: string
  readonly createdAt: number
  /** The ID of the event's subject. */
  readonly about: string
}

/** Complaints as sentences. All lists are empty if the feed was correct. */
export interface Verdict {
  /** Events that the cursor skipped, and acknowledged writes that have no event. */
  readonly lost: ReadonlyArray<string>
  /** Events that were served again or out of order. */
  readonly twice: ReadonlyArray<string>
  /** Events that were served before they were two seconds old. */
  readonly early: ReadonlyArray<string>
  /** Pages that do not match the request. */
  readonly wrong: ReadonlyArray<string>
}

export const nothingWrong: Verdict = { lost: [], twice: [], early: [], wrong: [] }

/** The age at which the feed serves an event. */
const youngMillis = 2000

/** Returns the complaints. `log` contains the events of one org, sorted by ID. */
export const checkFeed = (log: ReadonlyArray<LoggedEvent>, pages: ReadonlyArray<Page>): Verdict => {
  const byId = new Map(log.map((event) => [event.id, event]))
  const lostEvents: Array<string> = []
  const duplicateEvents: Array<string> = []
  const earlyEvents: Array<string> = []
  const wrongPages: Array<string> = []
  let cursor = 0
  let last = 0
  for (const page of pages) {
    const { after, respondedAt, requestedAt, ids, limit, nextAfter, type } = page
    const name = `the page of ${limit} ${type ?? "events"} after ${after}`
    if (after !== cursor || nextAfter < after) wrongPages.push(`${name} goes from ${cursor} to ${nextAfter}`)
    if (ids.length > limit) wrongPages.push(`${name} has ${ids.length}`)
    for (const id of ids) {
      if (id <= last) duplicateEvents.push(`event ${id} comes after ${last} in ${name}`)
      last = Math.max(last, id)
      const event = byId.get(id)
      if (event === undefined) wrongPages.push(`event ${id} of ${name} is not in the log`)
      else if (type !== undefined && event.type !== type) wrongPages.push(`event ${id} of ${name} is a ${event.type}`)
      if (id > nextAfter) wrongPages.push(`event ${id} of ${name} lies behind the next cursor, ${nextAfter}`)
    }
    const servedIds = new Set(ids)
    for (const event of log) {
      if (event.id <= after || event.id > nextAfter || (type !== undefined && event.type !== type)) continue
      if (!servedIds.has(event.id)) lostEvents.push(`event ${event.id} (${event.type}) is missing in ${name}`)
    }
    for (const id of ids) {
      const event = byId.get(id)
      if (event === undefined || !isYoung(event, requestedAt) || !isYoung(event, respondedAt)) continue
      earlyEvents.push(`${name} serves event ${id} before it is two seconds old`)
    }
    cursor = nextAfter
  }
  return { lost: lostEvents, twice: duplicateEvents, early: earlyEvents, wrong: wrongPages }
}

/**
 * Whether the feed still withholds the event. An event from a clock two seconds ahead counts as old. Otherwise, setting
 * a clock back would stop the feed.
 */
const isYoung = ({ createdAt }: LoggedEvent, now: number): boolean => Math.abs(now - createdAt) < youngMillis

/** Returns a complaint for each acknowledged write that has no event. */
export const findUnlogged = (
  log: ReadonlyArray<LoggedEvent>,
  acknowledged: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const loggedIds = new Set(log.map(({ about }) => about))
  return acknowledged.filter((id) => !loggedIds.has(id)).map((id) => `${id} was acknowledged and has no event`)
}

export const joinVerdicts = (verdicts: ReadonlyArray<Verdict>): Verdict => ({
  lost: verdicts.flatMap(({ lost }) => lost),
  twice: verdicts.flatMap(({ twice }) => twice),
  early: verdicts.flatMap(({ early }) => early),
  wrong: verdicts.flatMap(({ wrong }) => wrong)
})
