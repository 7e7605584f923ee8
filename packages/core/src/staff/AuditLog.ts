import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Actor } from "../actor/Actor.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"

/**
 * The audit log of every org. Adding an entry for an org that does not exist is a defect. Entries are never changed or
 * deleted.
 */
export class AuditStore extends Context.Tag("@trailbook/core/AuditStore")<
  AuditStore,
  {
    readonly add: (entry: AuditEntry) => Effect.Effect<void>
    /** Returns the newest entries, newest first. With `before`, returns only older entries. */
    readonly page: (query: {
      readonly orgId: string
      readonly before?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<AuditEntry>>
    /** Returns whether an entry with this change, subject, and name was added at or after the given time. */
    readonly hasSince: (
      query: Pick<AuditEntry, "orgId" | "what" | "subject" | "name"> & { readonly since: Instant }
    ) => Effect.Effect<boolean>
  }
>() {}

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

/** Records changes to access, settings, and automations, as well as exports and erasures of data. */
export class AuditLog extends Context.Tag("@trailbook/core/AuditLog")<
  AuditLog,
  {
    /** Writes an entry and notifies open pages. Call it in the transaction that makes the change. */
    readonly addAndNotify: (entry: Omit<AuditEntry, "id" | "at">) => Effect.Effect<void>
    /** Writes an entry without notifying open pages, for changes that append an event or notify pages themselves. */
    readonly add: (entry: Omit<AuditEntry, "id" | "at">) => Effect.Effect<void>
    readonly page: AuditStore["Type"]["page"]
  }
>() {
  static readonly layer = Layer.effect(AuditLog, Effect.suspend(() => makeAuditLog))
}

const makeAuditLog = Effect.gen(function*() {
  const store = yield* AuditStore
  const ids = yield* Ids
  const log = yield* EventLog
  const add = (entry: Omit<AuditEntry, "id" | "at">) =>
    Effect.flatMap(
      currentTime,
      (at) => store.add({ ...entry, name: [...entry.name].slice(0, 200).join(""), id: ids.uuid(), at })
    )
  return AuditLog.of({
    add,
    addAndNotify: (entry) => Effect.zipRight(add(entry), log.touch(entry.orgId)),
    page: store.page
  })
})

/** Converts the actor of an operation to the actor of an audit entry. */
export const toAuditActor = (actor: Actor["Type"]): AuditActor => {
  switch (actor._tag) {
    case "Staff":
      return { _tag: "Staff", staffId: actor.staffId }
    case "Key":
      return { _tag: "Key", keyId: actor.keyId }
    case "Application":
      return { _tag: "Application", grantId: actor.grantId }
    case "Host":
      return { _tag: "Host" }
    default:
      return { _tag: "Service" }
  }
}
