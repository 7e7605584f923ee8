import type { Instant } from "../time/Instant.ts"

/** The ops agent's automations, each with its own rules. */
export const automations = ["weather", "fill", "brief", "reminders"] as const

export type AutomationName = (typeof automations)[number]

/**
 * How much the agent may do, in ascending order: nothing, propose and wait for approval, act and notify the staff, or
 * act and only log.
 */
export const autonomyLevels = ["off", "ask", "do_tell", "do_quiet"] as const

export type AutonomyLevel = (typeof autonomyLevels)[number]

/** The stored settings, with API field names. A setting that was never set is absent, so its default applies. */
export type PartialSettings = { readonly [name: string]: unknown }

/** An org's automation, with its next run time. */
export interface Automation {
  readonly orgId: string
  readonly automation: AutomationName
  readonly dial: AutonomyLevel
  readonly settings: PartialSettings
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
