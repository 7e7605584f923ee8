import type { DecidedBy } from "@trailbook/core/actor/provenance"
import type { AutomationName, Dial } from "@trailbook/core/automation/Automation"
import type { Held } from "@trailbook/core/automation/guards"
import type { Proposal, ProposalStatus } from "@trailbook/core/proposal/Proposal"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Table from "../Table.ts"

/**
 * @category tables
 */
export const proposalTable = Table.make({
  name: "proposals",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    automation: "text",
    subject: "text",
    day: "integer",
    status: "text",
    dial: "text",
    held: "text?",
    title: "text",
    session_id: "text?",
    booking_id: "text?",
    data: "json",
    actions: "json",
    expires_at: "instant",
    run_at: "instant?",
    created_at: "instant",
    decided_at: "instant?",
    decided_by: "text?",
    done_at: "instant?",
    error: "text?"
  },
  decode: (row): Proposal => ({
    orgId: row.org_id,
    id: row.id,
    automation: row.automation as AutomationName,
    subject: row.subject,
    day: LocalDate.make(row.day),
    status: row.status as ProposalStatus,
    dial: row.dial as Exclude<Dial, "off">,
    held: row.held as Held,
    title: row.title,
    sessionId: row.session_id,
    bookingId: row.booking_id,
    data: JSON.parse(row.data),
    actions: JSON.parse(row.actions),
    expiresAt: row.expires_at,
    runAt: row.run_at,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by as DecidedBy | null,
    doneAt: row.done_at,
    error: row.error
  }),
  encode: (proposal) => ({
    org_id: proposal.orgId,
    id: proposal.id,
    automation: proposal.automation,
    subject: proposal.subject,
    day: proposal.day,
    status: proposal.status,
    dial: proposal.dial,
    held: proposal.held,
    title: proposal.title,
    session_id: proposal.sessionId,
    booking_id: proposal.bookingId,
    data: proposal.data,
    actions: proposal.actions,
    expires_at: proposal.expiresAt,
    run_at: proposal.runAt,
    created_at: proposal.createdAt,
    decided_at: proposal.decidedAt,
    decided_by: proposal.decidedBy,
    done_at: proposal.doneAt,
    error: proposal.error
  })
})
