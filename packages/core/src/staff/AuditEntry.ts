import type { Instant } from "../time/Instant.ts"

/** The changes that the audit log records: access to an org, its settings, and actions that export or erase data. */
export const auditActions = [
  "member.added",
  "member.changed",
  "member.removed",
  "key.created",
  "key.revoked",
  "key.new_network",
  "login.started",
  "login.ended",
  "passkey.added",
  "passkey.removed",
  "application.approved",
  "application.withdrawn",
  "payments.connected",
  "payments.disconnected",
  "org.changed",
  "org.exported",
  "webhook.created",
  "webhook.deleted",
  "automation.dial_changed",
  "automation.settings_changed",
  "customer.erased",
  "conversation.erased"
] as const

export type AuditAction = (typeof auditActions)[number]

/** The kinds of actors that the audit log shows. */
export const auditActorKinds = ["staff", "operator", "host", "key", "application", "service"] as const

/**
 * The actor of a change: a staff member, the service's operator, the host application, an API key, an application, or
 * the service.
 */
export type AuditActor =
  | { readonly _tag: "Staff"; readonly staffId: string }
  | { readonly _tag: "Key"; readonly keyId: string }
  | { readonly _tag: "Application"; readonly grantId: string }
  | { readonly _tag: "Operator" | "Host" | "Service" }

/**
 * A stored change. The entry refers to people by ID only, so it keeps no personal data after a person leaves the staff.
 */
export interface AuditEntry {
  /** IDs are ordered by creation. */
  readonly id: string
  readonly orgId: string
  readonly at: Instant
  readonly by: AuditActor
  readonly what: AuditAction
  /** The ID of the changed record, or the automation's name. */
  readonly subject: string
  /**
   * The subject's name or the changed fields, in at most 200 characters: for example, a key's name, a webhook's host,
   * the new dial, or a key's network. The text contains no guest or staff data.
   */
  readonly name: string
}
