import { EventLog, type NewEvent, type StoredEvent } from "@trailbook/core/port"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { requireRow, type Tables, toOrgKey } from "./Tables.ts"

/**
 * Transactions run one at a time, so IDs become visible in order without a counter. The next ID is the last ID plus 1.
 */
export const layer = storeLayer(EventLog, ({ read, update, write }) => ({
  append: (events) => write((tables) => events.reduce(appendEvent, tables)),
  page: ({ after, limit, orgId, type, youngAfter, youngBefore }) =>
    read((tables) => {
      const events: Array<StoredEvent> = []
      for (const event of Table.range(tables.events, "id", orgId, { above: { at: after, id: "" } })) {
        const isYoung = youngAfter < event.createdAt && event.createdAt < youngBefore
        if (isYoung) return { events, nextAfter: event.id - 1 }
        if (type !== undefined && event.type !== type) continue
        events.push(event)
        if (events.length === limit) return { events, nextAfter: event.id }
      }
      return { events, nextAfter: Math.max(after, lastEventId(tables, orgId)) }
    }),
  latest: (orgId, limit) => read((tables) => Table.takeFirst(readNewestFirst(tables, orgId), limit).toReversed()),
  about: (orgId, person, after, limit) =>
    read(({ events }) =>
      Table.takeFirst(Table.range(events, "person", toOrgKey(orgId, person), { above: { at: after, id: "" } }), limit)
    ),
  latestAbout: (orgId, person, types, limit) =>
    read(({ events }) =>
      Table.takeFirst(
        Table.range(events, "person", toOrgKey(orgId, person), { order: "desc" }),
        limit,
        ({ type }) => types.includes(type)
      )
    ),
  relabel: (orgId, from, to) =>
    update("events", (events) =>
      [...Table.range(events, "person", toOrgKey(orgId, from))]
        .reduce((events, event) => Table.put(events, { ...event, person: to }), events)),
  rewrite: (orgId, changes) =>
    update("events", (events) =>
      changes.reduce(
        (events, { data, id }) => Table.change(events, toOrgKey(orgId, String(id)), (event) => ({ ...event, data })),
        events
      )),
  touch: (orgId) =>
    update("touches", (touches, tables) => {
      requireRow(tables.orgs, orgId)
      return Table.put(touches, { orgId, times: countTouches(tables, orgId) + 1 })
    }),
  heads: (orgIds) =>
    read((tables) =>
      [...new Set(orgIds)]
        .map((orgId) => ({ orgId, head: lastEventId(tables, orgId) + countTouches(tables, orgId) }))
        .filter(({ head }) => head > 0)
    )
}))

const countTouches = ({ touches }: Tables, orgId: string): number => Table.get(touches, orgId)?.times ?? 0

const readNewestFirst = ({ events }: Tables, orgId: string) => Table.range(events, "id", orgId, { order: "desc" })

/**
 * Returns the ID of an org's newest event, or 0 if the org has no events. The event may be too recent to be listed.
 */
export const lastEventId = (tables: Tables, orgId: string): number =>
  Table.takeFirst(readNewestFirst(tables, orgId), 1)[0]?.id ?? 0

const appendEvent = (tables: Tables, event: NewEvent): Tables => {
  requireRow(tables.orgs, event.orgId)
  return { ...tables, events: Table.put(tables.events, { ...event, id: lastEventId(tables, event.orgId) + 1 }) }
}
