import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Actor } from "../actor/Actor.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { moment } from "../time/moment.ts"
import type { AuditedBy, AuditEntry } from "./AuditEntry.ts"
import { AuditStore } from "./AuditStore.ts"

/**
 * Who changed what about people, keys, logins and applications, and when.
 *
 * @category services
 */
export class AuditList extends Context.Tag("@trailbook/core/AuditList")<
  AuditList,
  {
    /** Writes an entry. Call it in the unit of work that makes the change, so that there is never one without the other; open pages hear of it. */
    readonly note: (entry: Omit<AuditEntry, "id" | "at">) => Effect.Effect<void>
    readonly page: AuditStore["Type"]["page"]
  }
>() {
  static readonly layer = Layer.effect(
    AuditList,
    Effect.gen(function*() {
      const store = yield* AuditStore
      const ids = yield* Ids
      const log = yield* EventLog
      return AuditList.of({
        note: (entry) =>
          Effect.flatMap(
            moment,
            (at) => store.add({ ...entry, name: [...entry.name].slice(0, 200).join(""), id: ids.uuid(), at })
          ).pipe(Effect.zipRight(log.touch(entry.orgId))),
        page: store.page
      })
    })
  )
}

/**
 * Who acts, as the list has it.
 *
 * @category converting
 */
export const auditedBy = (actor: Actor["Type"]): AuditedBy =>
  actor._tag === "Staff" ? { _tag: "Staff", staffId: actor.staffId } : { _tag: auditors[actor._tag] }

const auditors = {
  Application: "Application",
  Host: "Host",
  Key: "Host",
  Guest: "Service",
  Visitor: "Service",
  Agent: "Service"
} as const satisfies Record<Exclude<Actor["Type"]["_tag"], "Staff">, AuditedBy["_tag"]>
