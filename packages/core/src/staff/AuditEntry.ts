import type { Instant } from "../time/Instant.ts"

/**
 * The changes that the audit list records: access to an org, its settings, and actions that export or erase data.
 *
 * @category models
 */
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

/**
 * @category models
 */
export type AuditAction = (typeof auditActions)[number]

/**
 * Who may have done it, as it is shown.
 *
 * @category models
 */
export const auditActorKinds = ["staff", "operator", "host", "key", "application", "service"] as const

/**
 * The actor of a change: a staff member, the operator of the service, the host program, an API key, an application, or
 * the service.
 *
 * @category models
 */
export type AuditActor =
  | { readonly _tag: "Staff"; readonly staffId: string }
  | { readonly _tag: "Key"; readonly keyId: string }
  | { readonly _tag: "Application"; readonly grantId: string }
  | { readonly _tag: "Operator" | "Host" | "Service" }

/**
 * One change, as it is kept. It names people by their id alone, so that whoever is
 * removed from the staff is gone from here as well.
 *
 * @category models
 */
export interface AuditEntry {
  /** In the order of making. */
  readonly id: string
  readonly orgId: string
  readonly at: Instant
  readonly by: AuditActor
  readonly what: AuditAction
  /** The id of the changed record, or the name of the automation. */
  readonly subject: string
  /**
   * The name of the subject or the changed fields, at most 200 characters: a key's name, a webhook's host, the new dial, the network of a key.
   * Contains no data of guests or staff.
   */
  readonly name: string
}
