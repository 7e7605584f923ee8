import type { EventLog, StoredEvent } from "@trailbook/core/port"
import type { Journal } from "../Journal.ts"
import { within } from "../Rows.ts"
import { type Change, get, inGroup, sizeOf, type State } from "../State.ts"

export const eventLog = ({ read, write }: Journal): EventLog["Type"] => ({
  // Transactions run one after another, so the next ID is the last ID plus one, and IDs become visible in order.
  append: (events) =>
    write((state) => {
      const last = new Map<string, number>()
      return events.map((event): Change => {
        const id = (last.get(event.orgId) ?? lastId(state, event.orgId)) + 1
        last.set(event.orgId, id)
        return { table: "events", row: { ...event, id } }
      })
    }),
  page: ({ after, limit, orgId, type, youngAfter, youngBefore }) =>
    read((state) => {
      const log = inOrder(state, `org ${orgId}`).filter(({ id }) => id > after)
      const young = log.find(({ createdAt }) => youngAfter < createdAt && createdAt < youngBefore)
      const head = young === undefined ? Math.max(after, lastId(state, orgId)) : young.id - 1
      const events = log
        .filter((event) => event.id <= head && (type === undefined || event.type === type))
        .slice(0, limit)
      return { events, nextAfter: events.length === limit ? events.at(-1)?.id ?? head : head }
    }),
  latest: (orgId, limit) =>
    read((state) => {
      const log = inOrder(state, `org ${orgId}`)
      return log.slice(Math.max(0, log.length - limit))
    }),
  about: (orgId, person, after, limit) =>
    read((state) => inOrder(state, `about ${within(orgId, person)}`).filter(({ id }) => id > after).slice(0, limit)),
  latestAbout: (orgId, person, types, limit) =>
    read((state) =>
      inOrder(state, `about ${within(orgId, person)}`)
        .filter(({ type }) => types.includes(type))
        .toReversed()
        .slice(0, limit)
    ),
  relabel: (orgId, from, to) =>
    write((state) =>
      inOrder(state, `about ${within(orgId, from)}`).map((event): Change => ({
        table: "events",
        row: { ...event, person: to }
      }))
    ),
  rewrite: (orgId, events) =>
    write((state) =>
      events.flatMap(({ data, id }): ReadonlyArray<Change> => {
        const event = get(state.events, within(orgId, id))
        return event === undefined ? [] : [{ table: "events", row: { ...event, data } }]
      })
    ),
  touch: (orgId) =>
    write((state) => [{ table: "touches", row: { orgId, times: (get(state.touches, orgId)?.times ?? 0) + 1 } }]),
  heads: (orgIds) =>
    read((state) =>
      [...new Set(orgIds)]
        .map((orgId) => ({ orgId, head: lastId(state, orgId) + (get(state.touches, orgId)?.times ?? 0) }))
        .filter(({ head }) => head > 0)
    )
})

export const inOrder = ({ events }: State, group: string): ReadonlyArray<StoredEvent> =>
  inGroup(events, group).toSorted((a, b) => a.id - b.id)

/** Returns the last ID. IDs have no gaps and events are never deleted, so the last ID is the log's size. */
export const lastId = ({ events }: State, orgId: string): number => sizeOf(events, `org ${orgId}`)
