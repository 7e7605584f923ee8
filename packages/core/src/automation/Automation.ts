import type { Instant } from "../time/Instant.ts"

/** The tasks of the ops agent. Each has its own rules. */
export const automations = ["weather", "fill", "brief", "reminders"] as const

export type AutomationName = (typeof automations)[number]

/** How much the agent may do: nothing; propose and wait; act and notify; act and log. */
export const autonomyLevels = ["off", "ask", "do_tell", "do_quiet"] as const

export type AutonomyLevel = (typeof autonomyLevels)[number]

/** Settings as stored, with API field names. A setting that was never set is absent and has its default. */
export type PartialSettings = { readonly [name: string]: unknown }

/** An automation of an org, with the time of its next run. */
export interface Automation {
  readonly orgId: string
  readonly automation: AutomationName
  readonly dial: AutonomyLevel
  readonly settings: PartialSettings
  /** Null until it is changed for the first time. */
  readonly updatedAt: Instant | null
  /** The time of the next run, or null while it is off. */
  readonly nextAt: Instant | null
}

/** The initial state of an automation. */
export const make = (orgId: string, automation: AutomationName): Automation => ({
  orgId,
  automation,
  dial: "off",
  settings: {},
  updatedAt: null,
  nextAt: null
})
