import type { AutomationView } from "@trailbook/core/automation"
import type { Units } from "@trailbook/core/org"
import { limitFields, typedLimit } from "./fields.ts"

/** Summarizes an automation's settings in one sentence. */
export const summarizeSettings = ({ automation, settings }: AutomationView, units: Units): string => {
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

const weather = ({ default: sharedLimits, offerings }: AutomationView["settings"], units: Units): string => {
  const limits = isObject(sharedLimits) ? sharedLimits : {}
  const limitTexts = limitFields(units).flatMap((field) => {
    const limit = limits[field.name]
    return field.name === "look_ahead_hours" || typeof limit !== "number"
      ? []
      : [`${field.label.toLowerCase()} ${typedLimit(field, limit)} ${field.unit}`]
  })
  const sharedTexts = [...limitTexts, ...limits["thunder"] === true ? ["no thunderstorms"] : []]
  const ownCount = isObject(offerings) ? Object.keys(offerings).length : 0
  return `${sharedTexts.length === 0 ? "No shared limits." : `For all activities: ${sharedTexts.join(", ")}.`}${
    ownCount === 0 ? "" : ` ${ownCount === 1 ? "1 activity has its" : `${ownCount} activities have their`} own limits.`
  }`
}

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
