import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { AuditEntry } from "./AuditEntry.ts"

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
    /** Returns whether an entry with this change, subject, and name was added at this time or later. */
    readonly hasSince: (
      query: Pick<AuditEntry, "orgId" | "what" | "subject" | "name"> & { readonly since: Instant }
    ) => Effect.Effect<boolean>
  }
>() {}
