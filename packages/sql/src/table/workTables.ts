import type { Automation } from "@trailbook/core/automation"
import type { ResumableJob } from "@trailbook/core/job"
import type { ExecutedRequest, StoredEvent } from "@trailbook/core/port"
import type { Proposal } from "@trailbook/core/proposal"
import type { Task } from "@trailbook/core/task/Task"
import type { Webhook } from "@trailbook/core/webhook"
import * as Table from "../Table.ts"

/** The decoder is handwritten for speed, because a page has hundreds of events. */
export const eventTable = Table.make({
  name: "events",
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

/** The columns that outfitters see. Statements that use the cursor and lease columns write them directly. */
export const webhookTable = Table.of<Webhook>()({
  name: "webhooks",
  fields: {
    ...Table.orgKeyFields,
    url: "text",
    events: "json",
    active: "boolean",
    sealedSecret: "text",
    createdAt: "instant",
    lastStatus: "integer?",
    lastError: "text?",
    lastAttemptAt: "instant?"
  }
})

export const taskTable = Table.of<Task>()({
  name: "tasks",
  fields: {
    ...Table.orgKeyFields,
    kind: "text",
    queue: "text",
    subjectId: "text",
    dueAt: "instant",
    attempts: "integer",
    lastError: "text?",
    givenUpAt: "instant?"
  }
})

export const requestKeyTable = Table.of<ExecutedRequest>()({
  name: "request_keys",
  key: ["org_id", "operation", "key"],
  fields: {
    orgId: "text",
    operation: "text",
    key: "text",
    fingerprint: "text",
    made: "json",
    madeAt: "instant"
  }
})

export const resumableJobTable = Table.of<ResumableJob>()({
  name: "unfinished",
  key: ["org_id", "subject", "id"],
  fields: {
    orgId: "text",
    subject: "text",
    id: "text",
    begunAt: "instant",
    touchedAt: "instant",
    cancelled: "integer",
    refunded: "integer"
  }
})

export const automationTable = Table.of<Automation>()({
  name: "automations",
  key: ["org_id", "automation"],
  fields: {
    orgId: "text",
    automation: "text",
    dial: "text",
    settings: "json",
    updatedAt: "instant?",
    nextAt: "instant?"
  }
})

/** The columns for writes. Each write clears the lease, so a worker that holds it loses its claim. */
export const automationWriteTable = Table.make({
  ...automationTable,
  columns: { ...automationTable.columns, lease_until: "integer?" },
  encode: (automation: Automation) => ({ ...automationTable.encode(automation), lease_until: null })
})

export const proposalTable = Table.of<Proposal>()({
  name: "proposals",
  fields: {
    orgId: "text",
    id: "text",
    automation: "text",
    subject: "text",
    day: "integer",
    status: "text",
    dial: "text",
    held: "text?",
    title: "text",
    sessionId: "text?",
    bookingId: "text?",
    data: "json",
    actions: "json",
    expiresAt: "instant",
    runAt: "instant?",
    createdAt: "instant",
    decidedAt: "instant?",
    decidedBy: "text?",
    doneAt: "instant?",
    error: "text?"
  }
})
