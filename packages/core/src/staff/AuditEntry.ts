import type { Instant } from "../time/Instant.ts"

/**
 * What the audit list keeps: changes of who and what may open an org.
 *
 * @category models
 */
export const audited = [
  "member.added",
  "member.changed",
  "member.removed",
  "key.created",
  "key.revoked",
  "login.started",
  "login.ended",
  "passkey.added",
  "passkey.removed",
  "application.approved",
  "application.withdrawn",
  "payments.connected",
  "payments.disconnected"
] as const

/**
 * @category models
 */
export type Audited = (typeof audited)[number]

/**
 * Who may have done it, as it is shown.
 *
 * @category models
 */
export const auditors = ["staff", "operator", "host", "application", "service"] as const

/**
 * Who did it: somebody of the staff, whoever runs the service, the program around it,
 * an application about itself, or the service on its own.
 *
 * @category models
 */
export type AuditedBy =
  | { readonly _tag: "Staff"; readonly staffId: string }
  | { readonly _tag: "Operator" | "Host" | "Application" | "Service" }

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
  readonly by: AuditedBy
  readonly what: Audited
  /** The id of what was changed. */
  readonly subject: string
  /** What it is known by, such as a key's name; at most 200 characters, and nothing of a person. */
  readonly name: string
}
