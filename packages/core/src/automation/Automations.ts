import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  explainMissingVariable,
  findMissingVariableNames,
  sampleTemplateValues,
  SavedReplyStore
} from "../conversation/saved-reply/SavedReply.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/Orgs.ts"
import { EventLog } from "../port/EventLog.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import {
  type Automation,
  type AutomationName,
  automationNames,
  AutomationStore,
  type AutonomyLevel,
  make,
  type StoredAutomationSettings
} from "./Automation.ts"
import * as Settings from "./automationSettings.ts"

export class Automations extends Context.Tag("@trailbook/core/Automations")<
  Automations,
  {
    /** Returns all of an org's automations, including those never changed. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Automation>>
    /**
     * Sets the dial, and overwrites only the settings that are passed. Unless the dial is off, the next run is due
     * immediately.
     */
    readonly update: (change: {
      readonly orgId: string
      readonly automation: AutomationName
      readonly dial?: AutonomyLevel | undefined
      readonly settings?: unknown
      /** Called with the old and the new automation, inside the transaction that stores the change. */
      readonly record?: (before: Automation, after: Automation) => Effect.Effect<void>
    }) => Effect.Effect<Automation, Refusal<"invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(Automations, Effect.suspend(() => makeAutomations))
}

const makeAutomations = Effect.gen(function*() {
  const store = yield* AutomationStore
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const replies = yield* SavedReplyStore
  const { run } = yield* UnitOfWork

  /**
   * Checks that new settings refer only to existing resources in the org. A reference to a resource that is deleted
   * later is ignored.
   */
  const checkReferences = (orgId: string, automation: AutomationName, settings: StoredAutomationSettings) =>
    Effect.gen(function*() {
      const { offeringIds, replyId } = Settings.findReferencedIds(automation, settings)
      const rows = yield* offerings.find(offeringIds.map((id) => ({ orgId, id })))
      const existingIds = new Set(rows.flatMap(({ deletedAt, id }) => deletedAt === null ? [id] : []))
      const missingId = offeringIds.find((id) => !existingIds.has(id))
      if (missingId !== undefined) {
        return yield* invalid(`settings.offerings.${missingId}: is not one of this outfitter's offerings`)
      }
      if (automation === "reminders" && settings.after_6h === true) {
        const { reviewUrl } = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
        if (reviewUrl === null) {
          return yield* invalid("settings.after_6h: requires a review link. Set the review link (review_url) first.")
        }
      }
      if (replyId === null) return
      const reply = (yield* replies.list(orgId)).find(({ id }) => id === replyId)
      if (reply === undefined) {
        return yield* invalid("settings.before_24h_reply_id: is not one of this outfitter's saved replies")
      }
      const [name] = findMissingVariableNames(reply.body, sampleTemplateValues)
      if (name !== undefined) {
        return yield* invalid(`settings.before_24h_reply_id: ${explainMissingVariable(name)}`)
      }
    })

  return Automations.of({
    list: (orgId) =>
      Effect.map(
        store.list(orgId),
        (rows) => automationNames.map((name) => rows.find(({ automation }) => automation === name) ?? make(orgId, name))
      ),
    update: ({ automation, dial, orgId, record = () => Effect.void, settings = {} }) =>
      Effect.gen(function*() {
        const newSettings = yield* Settings.parseAutomationSettings(automation, settings)
        return yield* run(Effect.gen(function*() {
          const rows = yield* store.lock(orgId)
          yield* checkReferences(orgId, automation, newSettings)
          const before = rows.find((row) => row.automation === automation) ?? make(orgId, automation)
          const now = yield* currentTime
          const after: Automation = {
            ...before,
            dial: dial ?? before.dial,
            settings: { ...before.settings, ...newSettings },
            updatedAt: now
          }
          const state = { ...after, nextAt: after.dial === "off" ? null : now }
          yield* store.put(state)
          yield* record(before, state)
          yield* log.touch(orgId)
          return state
        }))
      })
  })
})
