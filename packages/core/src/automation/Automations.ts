import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import type { Refusal } from "../Refusal.ts"
import { moment } from "../time/moment.ts"
import { type Automation, type AutomationName, automations, type Dial, make } from "./Automation.ts"
import { AutomationStore } from "./AutomationStore.ts"
import * as Settings from "./settings.ts"

/**
 * @category services
 */
export class Automations extends Context.Tag("@trailbook/core/Automations")<
  Automations,
  {
    /** All of an org, those that were never set among them. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Automation>>
    /** Sets the dial, and replaces those settings that are given. Its turn is due at once, unless it is off. */
    readonly update: (given: {
      readonly orgId: string
      readonly automation: AutomationName
      readonly dial?: Dial | undefined
      readonly settings?: unknown
    }) => Effect.Effect<Automation, Refusal<"invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(
    Automations,
    Effect.gen(function*() {
      const store = yield* AutomationStore
      const { run } = yield* UnitOfWork

      return Automations.of({
        list: (orgId) =>
          Effect.map(
            store.list(orgId),
            (known) =>
              automations.map((name) => known.find(({ automation }) => automation === name) ?? make(orgId, name))
          ),
        update: ({ automation, dial, orgId, settings = {} }) =>
          Effect.gen(function*() {
            const read = Settings.read(automation, settings)
            if (Either.isLeft(read)) return yield* Effect.fail(read.left)
            return yield* run(Effect.gen(function*() {
              const known = yield* store.lock(orgId)
              const before = known.find((row) => row.automation === automation) ?? make(orgId, automation)
              const now = yield* moment
              const after: Automation = {
                ...before,
                dial: dial ?? before.dial,
                settings: { ...before.settings, ...read.right },
                updatedAt: now
              }
              const changed = { ...after, nextAt: after.dial === "off" ? null : now }
              yield* store.put(changed)
              return changed
            }))
          })
      })
    })
  )
}
