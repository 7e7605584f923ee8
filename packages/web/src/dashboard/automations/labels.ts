import type { AutomationName, AutonomyLevel } from "@trailbook/core/automation"

/** The name and description of each automation, including what it never does. */
export const automationLabels: {
  readonly [Name in AutomationName]: {
    readonly name: string
    readonly does: string
    readonly never: ReadonlyArray<string>
  }
} = {
  weather: {
    name: "Weather",
    does: "Cancels or moves trips if the forecast or river conditions exceed your limits.",
    never: [
      "Never cancels a trip just because a forecast is missing or outdated.",
      "Ignores trips without limits."
    ]
  },
  fill: {
    name: "Fill",
    does: "Opens next-day departures when a day is nearly full. Combines or cancels departures with few guests.",
    never: [
      "Never reopens a departure that you canceled.",
      "After opening a departure, waits the configured number of hours before canceling it.",
      "Moves guests by at most 24 hours, and only to a departure with enough seats for all of them."
    ]
  },
  brief: {
    name: "Morning brief",
    does: "Sends a morning email with the day’s trips, the weather, and messages that need a reply.",
    never: ["Never changes a booking. Can only send a note to today’s guests."]
  },
  reminders: {
    name: "Reminders",
    does: "Reminds guests before their trip and thanks them afterward.",
    never: [
      "Never sends the same reminder twice.",
      "Skips reminders that would arrive too late."
    ]
  }
}

export const autonomyLevelLabels: {
  readonly [D in AutonomyLevel]: { readonly name: string; readonly description: string }
} = {
  off: { name: "Off", description: "Does nothing." },
  ask: { name: "Propose", description: "Asks for your approval first." },
  do_tell: { name: "Act and notify", description: "Acts automatically and notifies you." },
  do_quiet: { name: "Act silently", description: "Acts automatically and keeps a log." }
}
