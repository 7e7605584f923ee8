/** The labels of the automations, and the form fields for their settings. */
import type { AutomationName, AutomationView, AutonomyLevel } from "@trailbook/core/automation"
import {
  type DisplayScale,
  getDisplayScale,
  type LimitName,
  limitQuantities,
  toDisplayValue
} from "@trailbook/core/forecast"
import type { UnitSystem } from "@trailbook/core/org"

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
    never: ["Never sends the same reminder twice.", "Skips reminders that would arrive too late."]
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

interface NumberField {
  readonly name: string
  readonly label: string
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly isWhole?: true
}

/** The field for a limit, in the outfitter's units. `scale` converts between the field and the stored value. */
export interface LimitField extends NumberField {
  readonly name: Exclude<LimitName, "thunder"> | "look_ahead_hours"
  readonly scale: DisplayScale | undefined
}

/** Returns the fields for the limits. Bounds are rounded inward, so that the field accepts the bounds it shows. */
export const makeLimitFields = (units: UnitSystem): ReadonlyArray<LimitField> =>
  storedFields.map((field) => {
    const { max, min, name } = field
    if (name === "look_ahead_hours") return { ...field, unit: "hours, default 48", scale: undefined }
    const scale = getDisplayScale(limitQuantities[name], units)
    const factor = 10 ** (scale.decimals ?? 0)
    return {
      ...field,
      unit: scale.unit,
      scale,
      min: Math.ceil(scale.toShown(min) * factor) / factor,
      max: Math.floor(scale.toShown(max) * factor) / factor
    }
  })

/** Converts a stored limit to its field value. */
export const formatLimit = ({ scale }: LimitField, limit: number): string =>
  String(scale === undefined ? limit : toDisplayValue(scale, limit))

const storedFields: ReadonlyArray<Omit<LimitField, "scale" | "unit">> = [
  { name: "max_wind_kph", label: "Maximum wind", min: 0, max: 400 },
  { name: "max_gust_kph", label: "Maximum gust", min: 0, max: 400 },
  { name: "max_precip_mm", label: "Maximum rain during the trip", min: 0, max: 2000 },
  { name: "max_precip_pct", label: "Maximum chance of rain", min: 0, max: 100 },
  { name: "min_temp_c", label: "Minimum temperature", min: -90, max: 60 },
  { name: "max_temp_c", label: "Maximum temperature", min: -90, max: 60 },
  { name: "min_flow_cfs", label: "Minimum river flow", min: -1_000_000, max: 10_000_000 },
  { name: "max_flow_cfs", label: "Maximum river flow", min: -1_000_000, max: 10_000_000 },
  { name: "min_gage_ft", label: "Minimum river height", min: -1000, max: 10_000 },
  { name: "max_gage_ft", label: "Maximum river height", min: -1000, max: 10_000 },
  { name: "look_ahead_hours", label: "Look ahead", min: 1, max: 336, isWhole: true }
]

export const fillAutomationFields: ReadonlyArray<NumberField> = [
  {
    name: "full_pct",
    label: "Open next-day departures when this share of seats is booked",
    unit: "%",
    min: 50,
    max: 100,
    isWhole: true
  },
  {
    name: "min_guests",
    label: "Minimum guests per departure",
    unit: "leave empty for no minimum",
    min: 1,
    max: 10_000,
    isWhole: true
  },
  {
    name: "min_guests_hours",
    label: "How long before the start to check the minimum",
    unit: "hours",
    min: 1,
    max: 336,
    isWhole: true
  }
]

/**
 * Parses a number. Invalid text is returned unchanged, so that the operation rejects it with an error that names the
 * field.
 */
export const parseNumberField = (input: string | undefined): number | string | null => {
  const text = (input ?? "").trim().replace(",", ".")
  if (text === "") return null
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

/** Summarizes an automation's settings in one sentence. */
export const summarizeSettings = ({ automation, settings }: AutomationView, units: UnitSystem): string => {
  switch (automation) {
    case "weather":
      return weather(settings, units)
    case "fill": {
      const [full, fewest, hours] = ["full_pct", "min_guests", "min_guests_hours"].map((name) => Number(settings[name]))
      const cancelText = settings["min_guests"] === null
        ? "Departures with few guests are not canceled."
        : `Departures need ${fewest} guests ${hours} hours before the start.`
      return `Opens next-day departures when ${full}% of seats are booked. ${cancelText}`
    }
    case "brief":
      return settings["see_you"] === true ? "Includes a note to today’s guests." : "Does not include a note to guests."
    case "reminders": {
      const set = [
        ...settings["before_24h"] === true ? ["1 day before"] : [],
        ...settings["before_2h"] === true ? ["2 hours before"] : [],
        ...settings["after_6h"] === true ? ["6 hours after"] : []
      ]
      const days = settings["balance_due_days"]
      const balance = typeof days === "number" ? ` Reminds guests of their balance ${days} days before the trip.` : ""
      return `${set.length === 0 ? "No reminders selected." : `Sends reminders: ${set.join(", ")}.`}${balance}`
    }
  }
}

const weather = ({ default: sharedLimits, offerings }: AutomationView["settings"], units: UnitSystem): string => {
  const limits = isObject(sharedLimits) ? sharedLimits : {}
  const limitTexts = makeLimitFields(units).flatMap((field) => {
    const limit = limits[field.name]
    return field.name === "look_ahead_hours" || typeof limit !== "number"
      ? []
      : [`${field.label.toLowerCase()} ${formatLimit(field, limit)} ${field.unit}`]
  })
  const sharedTexts = [...limitTexts, ...limits["thunder"] === true ? ["no thunderstorms"] : []]
  const ownCount = isObject(offerings) ? Object.keys(offerings).length : 0
  return `${sharedTexts.length === 0 ? "No shared limits." : `For all activities: ${sharedTexts.join(", ")}.`}${
    ownCount === 0 ? "" : ` ${ownCount === 1 ? "1 activity has its" : `${ownCount} activities have their`} own limits.`
  }`
}

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
