import type { AutomationName, AutonomyLevel } from "@trailbook/core/automation/Automation"

/**
 * What each automation is called, does, and never does.
 *
 * @category constants
 */
export const automationLabels: {
  readonly [Name in AutomationName]: {
    readonly name: string
    readonly does: string
    readonly never: ReadonlyArray<string>
  }
} = {
  weather: {
    name: "Weather",
    does: "Cancels or moves trips whose forecast or river is past the limits that you set.",
    never: [
      "It never cancels a trip over a forecast that is missing or old.",
      "It leaves trips without limits alone."
    ]
  },
  fill: {
    name: "Fill",
    does: "Opens the next day when classes are nearly full, and joins or cancels departures with few guests.",
    never: [
      "It never opens a departure that you cancelled once.",
      "It never cancels a departure that it opened itself before guests had the hours below to book it.",
      "It never moves guests by more than 24 hours, and only to a departure with room for all of them."
    ]
  },
  brief: {
    name: "Morning brief",
    does: "Tells you each morning of the day’s trips, the weather, and who waits for an answer.",
    never: ["It never changes a booking. At most it writes a note to today’s guests."]
  },
  reminders: {
    name: "Reminders",
    does: "Writes to guests before their trip, and thanks them afterwards.",
    never: [
      "It never reminds anybody twice of the same trip.",
      "It leaves a reminder out that would come too late."
    ]
  }
}

/**
 * @category constants
 */
export const dialLabels: { readonly [D in AutonomyLevel]: { readonly name: string; readonly means: string } } = {
  off: { name: "Off", means: "Does nothing." },
  ask: { name: "Propose", means: "Proposes and waits for your yes." },
  do_tell: { name: "Act and tell", means: "Acts by itself, and shows you what it did." },
  do_quiet: { name: "Act quietly", means: "Acts by itself, and keeps a log." }
}
