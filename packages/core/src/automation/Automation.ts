import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Instant } from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Metadata, Timestamp } from "../wire/View.ts"
import { applyDefaultSettings } from "./automationSettings.ts"

/** The ops agent's automations, each with its own rules. */
export const automationNames = ["weather", "fill", "brief", "reminders"] as const

export type AutomationName = (typeof automationNames)[number]

/**
 * How much the agent may do, in ascending order: nothing, propose and wait for approval, act and notify the staff, or
 * act and only log.
 */
export const autonomyLevels = ["off", "ask", "do_tell", "do_quiet"] as const

export type AutonomyLevel = (typeof autonomyLevels)[number]

/** The stored settings, with API field names. A setting that was never set is absent, so its default applies. */
export type StoredAutomationSettings = { readonly [name: string]: unknown }

/** An org's automation, with its next run time. */
export interface Automation {
  readonly orgId: string
  readonly automation: AutomationName
  readonly dial: AutonomyLevel
  readonly settings: StoredAutomationSettings
  /** When the automation was last changed. Null if it was never changed. */
  readonly updatedAt: Instant | null
  /** The time of the next run. Null if the automation is off. */
  readonly nextAt: Instant | null
}

/** Returns the initial state of an automation. */
export const make = (orgId: string, automation: AutomationName): Automation => ({
  orgId,
  automation,
  dial: "off",
  settings: {},
  updatedAt: null,
  nextAt: null
})

/** An automation with a claimed run. Every claim gets a new `fence`. */
export interface ClaimedAutomation extends Automation {
  readonly fence: number
}

/**
 * Stores automations. An automation must reference an existing org. A write that violates this rule fails as a defect.
 * Automations that were never changed are not stored.
 */
export class AutomationStore extends Context.Tag("@trailbook/core/AutomationStore")<
  AutomationStore,
  {
    /** Returns an org's stored automations, in any order. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Automation>>
    /** Like `list`, but locks the automations in name order until the transaction ends. */
    readonly lock: (orgId: string) => Effect.Effect<ReadonlyArray<Automation>>
    /**
     * Inserts an automation, or replaces the one with the same org and name. Replacing an automation voids its claim.
     */
    readonly put: (automation: Automation) => Effect.Effect<void>
    /**
     * Claims up to `limit` due, unclaimed automations across all orgs. The most overdue automations come first. A
     * claimed automation can be claimed again once its lease expires, according to the database clock.
     */
    readonly claim: (options: {
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedAutomation>>
    /** Sets the time of the next run and releases the claim. Returns false and changes nothing if the claim is void. */
    readonly scheduleNextRun: (claim: ClaimedAutomation, nextAt: Instant | null) => Effect.Effect<boolean>
    /** Releases claims without changing anything else. Void claims are ignored. */
    readonly release: (claims: ReadonlyArray<ClaimedAutomation>) => Effect.Effect<void>
  }
>() {}

/** The API representation of an automation. */
export const AutomationView = Schema.Struct({
  automation: withDescription("its name", Schema.Literal(...automationNames), "fill"),
  dial: withDescription(
    "off disables the automation, ask requires approval, do_tell acts and notifies staff, and do_quiet acts and logs",
    Schema.Literal(...autonomyLevels),
    "ask"
  ),
  settings: withDescription("its settings, including defaults", Metadata, {
    full_pct: 80,
    min_guests: null,
    min_guests_hours: 48
  }),
  updated_at: withDescription(
    "when the automation was last changed, or null if never",
    Schema.NullOr(Timestamp),
    "2027-05-01T15:00:00.000Z"
  )
}).annotations({ identifier: "Automation" })
export type AutomationView = typeof AutomationView.Type

export const automationView = (automation: Automation): AutomationView =>
  view({ ...automation, settings: { ...applyDefaultSettings(automation.automation, automation.settings) } })

const view = makeViewMapper(AutomationView)
