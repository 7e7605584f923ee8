/**
 * Holds what a client of the feed was served against what the log holds in the end. It is pure, so that it can be given wrong
 * pages and be seen to complain.
 */
import type { Page } from "./read.ts"

/** An event that is there when everything is over. */
export interface Logged {
  readonly id: number
  readonly type: string
  readonly createdAt: number
  /** The id of what it is about. */
  readonly about: string
}

/** Sentences; all empty when nothing is wrong. */
export interface Verdict {
  /** The cursor went past them, and they were not served; or they were acknowledged, and are not in the log. */
  readonly lost: ReadonlyArray<string>
  /** Served again, or out of order. */
  readonly twice: ReadonlyArray<string>
  /** Served before it was two seconds old. */
  readonly early: ReadonlyArray<string>
  /** Not what was asked for. */
  readonly wrong: ReadonlyArray<string>
}

export const nothingWrong: Verdict = { lost: [], twice: [], early: [], wrong: [] }

/** How old an event has to be. */
const youngMillis = 2000

/** `log` is that of one org, by id. */
export const checkFeed = (log: ReadonlyArray<Logged>, pages: ReadonlyArray<Page>): Verdict => {
  const byId = new Map(log.map((event) => [event.id, event]))
  const lost: Array<string> = []
  const twice: Array<string> = []
  const early: Array<string> = []
  const wrong: Array<string> = []
  let cursor = 0
  let last = 0
  for (const page of pages) {
    const { after, answered, asked, ids, limit, nextAfter, type } = page
    const name = `the page of ${limit} ${type ?? "events"} after ${after}`
    if (after !== cursor || nextAfter < after) wrong.push(`${name} goes from ${cursor} to ${nextAfter}`)
    if (ids.length > limit) wrong.push(`${name} has ${ids.length}`)
    for (const id of ids) {
      if (id <= last) twice.push(`event ${id} comes after ${last} in ${name}`)
      last = Math.max(last, id)
      const event = byId.get(id)
      if (event === undefined) wrong.push(`event ${id} of ${name} is not in the log`)
      else if (type !== undefined && event.type !== type) wrong.push(`event ${id} of ${name} is a ${event.type}`)
      if (id > nextAfter) wrong.push(`event ${id} of ${name} lies behind the next cursor, ${nextAfter}`)
    }
    const served = new Set(ids)
    for (const event of log) {
      if (event.id <= after || event.id > nextAfter || (type !== undefined && event.type !== type)) continue
      if (!served.has(event.id)) lost.push(`event ${event.id} (${event.type}) is missing in ${name}`)
    }
    for (const id of ids) {
      const event = byId.get(id)
      if (event === undefined || !isYoung(event, asked) || !isYoung(event, answered)) continue
      early.push(`${name} serves event ${id} before it is two seconds old`)
    }
    cursor = nextAfter
  }
  return { lost, twice, early, wrong }
}

/** One that lies two seconds ahead counts as old, or a clock that was set back would silence the feed. */
const isYoung = ({ createdAt }: Logged, now: number): boolean => Math.abs(now - createdAt) < youngMillis

/** What was acknowledged has its event. */
export const unlogged = (log: ReadonlyArray<Logged>, acknowledged: ReadonlyArray<string>): ReadonlyArray<string> => {
  const logged = new Set(log.map(({ about }) => about))
  return acknowledged.filter((id) => !logged.has(id)).map((id) => `${id} was acknowledged and has no event`)
}

export const joined = (verdicts: ReadonlyArray<Verdict>): Verdict => ({
  lost: verdicts.flatMap(({ lost }) => lost),
  twice: verdicts.flatMap(({ twice }) => twice),
  early: verdicts.flatMap(({ early }) => early),
  wrong: verdicts.flatMap(({ wrong }) => wrong)
})
