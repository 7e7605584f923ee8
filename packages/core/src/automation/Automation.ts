import type { Instant } from "../time/Instant.ts"

/**
 * What the ops agent looks after, each by rules of its own.
 *
 * @category models
 */
export const automations = ["weather", "fill", "brief", "reminders"] as const

/**
 * @category models
 */
export type AutomationName = (typeof automations)[number]

/**
 * How much it may do: nothing; propose and wait; act and tell; act and log.
 *
 * @category models
 */
export const autonomyLevels = ["off", "ask", "do_tell", "do_quiet"] as const

/**
 * @category models
 */
export type AutonomyLevel = (typeof autonomyLevels)[number]

/**
 * Settings as they were given, by their names on the wire: what was never given is not
 * there and reads as its default.
 *
 * @category models
 */
export type PartialSettings = { readonly [name: string]: unknown }

/**
 * An automation of an org, and when it looks again.
 *
 * @category models
 */
export interface Automation {
  readonly orgId: string
  readonly automation: AutomationName
  readonly dial: AutonomyLevel
  readonly settings: PartialSettings
  /** Null until somebody sets it. */
  readonly updatedAt: Instant | null
  /** When its next turn is due; null while it is off. */
  readonly nextAt: Instant | null
}

/**
 * What an automation is before it is set.
 *
 * @category constructors
 */
export const make = (orgId: string, automation: AutomationName): Automation => ({
  orgId,
  automation,
  dial: "off",
  settings: {},
  updatedAt: null,
  nextAt: null
})
