import type { StoredEvent } from "@trailbook/core/port/EventLog"
import * as Table from "../Table.ts"

/** Handwritten for speed, because a page has hundreds of events. */
export const eventTable = Table.make({
  name: "events",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "integer",
    type: "text",
    data: "json",
    customer_id: "text?",
    created_at: "instant"
  },
  decode: (row): StoredEvent => ({
    id: row.id,
    orgId: row.org_id,
    type: row.type,
    data: JSON.parse(row.data),
    person: row.customer_id,
    createdAt: row.created_at
  }),
  encode: (event) => ({
    org_id: event.orgId,
    id: event.id,
    type: event.type,
    data: event.data,
    customer_id: event.person,
    created_at: event.createdAt
  })
})
