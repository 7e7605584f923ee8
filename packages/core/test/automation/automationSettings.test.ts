import {
  applyDefaultSettings,
  defaultAutomationSettings,
  parseAutomationSettings
} from "@trailbook/core/automation/automationSettings"
import * as Either from "effect/Either"
import { expect, it } from "vitest"

const id = "0197c0de-0000-7000-8000-000000000002"
const errorOf = (...args: Parameters<typeof parseAutomationSettings>) =>
  Either.match(parseAutomationSettings(...args), {
    onLeft: ({ code, message }) => `${code} ${message}`,
    onRight: (settings) => settings
  })

it("returns settings unchanged if all values are within their bounds", () => {
  expect(errorOf("fill", { full_pct: 50, min_guests: null })).toEqual({ full_pct: 50, min_guests: null })
  expect(errorOf("brief", {})).toEqual({})
  expect(errorOf("reminders", { after_6h: true, before_24h_reply_id: id })).toEqual({
    after_6h: true,
    before_24h_reply_id: id
  })
  const weather = {
    default: { max_wind_kph: 40.5, thunder: true },
    offerings: { [id]: { max_wind_kph: null, action: "move" } }
  }
  expect(errorOf("weather", weather)).toEqual(weather)
})

it.each<[...Parameters<typeof parseAutomationSettings>, string]>([
  ["fill", { full_pct: 49 }, "settings.full_pct: must be a whole number from 50 to 100"],
  ["fill", { full_pct: "80" }, "settings.full_pct: must be a whole number from 50 to 100"],
  ["fill", { min_guests: 0 }, "settings.min_guests: must be a whole number from 1 to 10000, or null"],
  [
    "fill",
    { max_guests: 1 },
    "settings.max_guests: is not a field of this request. Known fields: full_pct, min_guests, min_guests_hours."
  ],
  ["brief", { see_you: 1 }, "settings.see_you: must be true or false"],
  ["brief", [], "settings: must be a JSON object"],
  ["reminders", { before_24h_reply_id: "x" }, "settings.before_24h_reply_id: must be a UUID, or null"],
  [
    "weather",
    { default: { max_gust_kph: -1 } },
    "settings.default.max_gust_kph: must be a number from 0 to 400, or null"
  ],
  [
    "weather",
    { default: { look_ahead_hours: 337 } },
    "settings.default.look_ahead_hours: must be a whole number from 1 to 336, or null"
  ],
  [
    "weather",
    { offerings: { [id]: { action: "wait" } } },
    `settings.offerings.${id}.action: must be one of cancel, move`
  ],
  ["weather", { offerings: { raft: {} } }, "settings.offerings: must have offering IDs as keys"],
  ["weather", { offerings: [] }, "settings.offerings: must be a JSON object"]
])("rejects the %s settings %j, and names the field and its bounds", (automation, settings, message) => {
  expect(errorOf(automation, settings)).toBe(`invalid_request ${message}`)
})

it("rejects an unknown weather limit of an offering and lists the known limits", () => {
  expect(errorOf("weather", { offerings: { [id]: { max_snow: 1 } } })).toMatch(
    new RegExp(
      `settings.offerings.${id}.max_snow: is not a field of this request\\. Known fields: max_wind_kph, .*action\\.$`
    )
  )
})

it("uses the default for a missing setting", () => {
  expect(applyDefaultSettings("fill", {})).toEqual(defaultAutomationSettings.fill)
  expect(applyDefaultSettings("fill", { min_guests: 4 })).toEqual({ full_pct: 80, min_guests: 4, min_guests_hours: 48 })
  expect(applyDefaultSettings("reminders", {})).toEqual({
    balance_due_days: null,
    before_24h: true,
    before_2h: true,
    after_6h: false,
    before_24h_reply_id: null
  })
})
