import type { Proposal } from "@trailbook/core/proposal"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { randomUUID } from "node:crypto"

/** Returns a pending ops agent proposal without actions. */
export const proposalOf = (orgId: string, now: Instant.Instant, fields: Partial<Proposal> = {}): Proposal => {
  const id = fields.id ?? randomUUID()
  return {
    id,
    orgId,
    automation: "brief",
    subject: id,
    day: LocalDate.make(21_000),
    title: "The day",
    sessionId: null,
    bookingId: null,
    data: {},
    actions: [],
    expiresAt: Instant.addMinutes(now, 600),
    status: "pending",
    dial: "ask",
    held: null,
    runAt: null,
    createdAt: now,
    decidedAt: null,
    decidedBy: null,
    doneAt: null,
    error: null,
    ...fields
  }
}

/** Returns the fields of a completed proposal that opened a session and can be undone. */
export const openedSession = (session: string): Partial<Proposal> => ({
  status: "done",
  actions: [{
    kind: "create_session",
    op: "sessions.create",
    input: {},
    facts: { why: "full", reason: "" },
    reversible: true,
    result: { ok: true },
    undo: { op: "sessions.cancel", input: { id: session } }
  }]
})
