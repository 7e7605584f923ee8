import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Actor } from "../actor/Actor.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { currentTime } from "../time/currentTime.ts"
import type { AuditActor, AuditEntry } from "./AuditEntry.ts"
import { AuditStore } from "./AuditStore.ts"

/** Records changes to access, settings, and automations, as well as exports and erasures of data. */
export class AuditLog extends Context.Tag("@trailbook/core/AuditLog")<
  AuditLog,
  {
    /** Writes an entry and notifies open pages. Call it in the transaction that makes the change. */
    readonly note: (entry: Omit<AuditEntry, "id" | "at">) => Effect.Effect<void>
    /** Writes an entry without notifying open pages, for changes that append an event or notify pages themselves. */
    readonly add: (entry: Omit<AuditEntry, "id" | "at">) => Effect.Effect<void>
    readonly page: AuditStore["Type"]["page"]
  }
>() {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function*() {
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
        note: (entry) => Effect.zipRight(add(entry), log.touch(entry.orgId)),
        page: store.page
      })
    })
  )
}

/** Converts the actor of an operation to the actor of an audit entry. */
export const auditedBy = (actor: Actor["Type"]): AuditActor => {
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
