/** Form fields for automation settings, with labels and bounds. */
import type { AutomationView } from "@trailbook/core/automation"
import { getScale, type LimitName, quantities, type Scale, toDisplayValue } from "@trailbook/core/forecast"
import type { UnitSystem } from "@trailbook/core/org"

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
  readonly scale: Scale | undefined
}

/** Returns the fields for the limits. Bounds are rounded inward, so that the field accepts the bounds it shows. */
export const makeLimitFields = (units: UnitSystem): ReadonlyArray<LimitField> =>
  storedFields.map((field) => {
    const { max, min, name } = field
    if (name === "look_ahead_hours") return { ...field, unit: "hours, default 48", scale: undefined }
    const scale = getScale(quantities[name], units)
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
