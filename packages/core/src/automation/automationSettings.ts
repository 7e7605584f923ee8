/**
 * The settings for each automation, with their limits and defaults. These schemas parse all settings. The error for an
 * unknown or invalid field names the field.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Refusal } from "../Refusal.ts"
import { toInvalidRequest } from "../wire/decodeError.ts"
import * as Field from "../wire/Field.ts"
import type { AutomationName, StoredAutomationSettings } from "./Automation.ts"

const makeBound = (description: string, minimum: number, maximum: number) =>
  Field.describedOptional(description, Field.nullable(Field.number(minimum, maximum)))

const limits = Field.object({
  max_wind_kph: makeBound("maximum wind speed, in km/h", 0, 400),
  max_gust_kph: makeBound("maximum gust speed, in km/h", 0, 400),
  max_precip_mm: makeBound("maximum rain during the trip, in mm", 0, 2000),
  max_precip_pct: makeBound("maximum chance of rain, in percent", 0, 100),
  min_temp_c: makeBound("minimum temperature, in °C", -90, 60),
  max_temp_c: makeBound("maximum temperature, in °C", -90, 60),
  thunder: Field.describedOptional("whether thunderstorms rule out a trip", Field.nullable(Field.boolean)),
  min_flow_cfs: makeBound("minimum river flow, in cubic feet per second", -1_000_000, 10_000_000),
  max_flow_cfs: makeBound("maximum river flow, in cubic feet per second", -1_000_000, 10_000_000),
  min_gage_ft: makeBound("minimum river level, in feet", -1000, 10_000),
  max_gage_ft: makeBound("maximum river level, in feet", -1000, 10_000),
  look_ahead_hours: Field.describedOptional(
    "how many hours before a trip to check its forecast",
    Field.nullable(Field.integer(1, 336))
  ),
  action: Field.describedOptional("the proposed action for appointments and rentals", Field.oneOf("cancel", "move"))
})

export type WeatherLimitSettings = typeof limits.Type

/** The maximum number of offerings in the settings, which is more than any outfitter has. */
const maxOfferings = 200

const settingSchemas = {
  weather: Field.object({
    default: Field.describedOptional("the default limits for all offerings", limits),
    offerings: Field.describedOptional(
      "the limits by offering ID. They override the default limits",
      Schema.Record({ key: Schema.String, value: limits }).annotations({ message: () => "must be a JSON object" })
        .pipe(
          Schema.filter((record) => {
            const invalidId = Object.keys(record).find((id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
            if (invalidId !== undefined) return "must have offering IDs as keys"
            return Object.keys(record).length <= maxOfferings || `must have at most ${maxOfferings} offerings`
          })
        )
    )
  }),
  fill: Field.object({
    full_pct: Field.describedOptional(
      "the percentage of booked seats at which to add sessions on the next day",
      Field.integer(50, 100)
    ),
    min_guests: Field.describedOptional(
      "the minimum number of guests in a session, or null to disable the check",
      Field.nullable(Field.integer(1, 10_000))
    ),
    min_guests_hours: Field.describedOptional(
      "how many hours before the start to check min_guests. A new session is exempt for the " +
        "same number of hours, or for at most 24 hours if a person created it",
      Field.integer(1, 336)
    )
  }),
  brief: Field.object({
    see_you: Field.describedOptional("whether to propose a message to all of today's guests", Field.boolean)
  }),
  reminders: Field.object({
    before_24h: Field.describedOptional("whether to send a reminder a day before the trip", Field.boolean),
    before_2h: Field.describedOptional("whether to send a reminder 2 hours before the trip", Field.boolean),
    after_6h: Field.describedOptional(
      "whether to send a thank-you 6 hours after the trip. Requires review_url",
      Field.boolean
    ),
    balance_due_days: Field.describedOptional(
      "how many days before the trip to remind guests of a balance due, or null for no reminder",
      Field.nullable(Field.integer(1, 365))
    ),
    before_24h_reply_id: Field.describedOptional(
      "the saved reply to send a day before the trip, or null for the default text",
      Field.nullable(Field.uuid)
    )
  })
} as const satisfies { readonly [Name in AutomationName]: Schema.Schema.AnyNoContext }

/** The complete settings for each automation. */
export type AutomationSettings = { readonly [Name in AutomationName]: Required<(typeof settingSchemas)[Name]["Type"]> }

/** The default settings. */
export const defaultAutomationSettings: AutomationSettings = {
  weather: { default: {}, offerings: {} },
  fill: { full_pct: 80, min_guests: null, min_guests_hours: 48 },
  brief: { see_you: true },
  reminders: {
    before_24h: true,
    before_2h: true,
    after_6h: false,
    balance_due_days: null,
    before_24h_reply_id: null
  }
}

/** How many hours ahead trips are checked by default. */
export const defaultLookAheadHours = 48

/** Adds the defaults to stored settings. */
export const applyDefaultSettings = <Name extends AutomationName>(
  automation: Name,
  settings: StoredAutomationSettings
): AutomationSettings[Name] => ({
  ...defaultAutomationSettings[automation],
  ...settings
})

/** Parses new settings. The error contains the invalid field's path, such as `settings.full_pct`. */
export const parseAutomationSettings = (
  automation: AutomationName,
  input: unknown
): Either.Either<StoredAutomationSettings, Refusal<"invalid_request">> =>
  Either.mapBoth(readers[automation]({ settings: input }), {
    onLeft: (issue) => toInvalidRequest(new ParseResult.ParseError({ issue })),
    onRight: ({ settings }) => settings
  })

/** Returns the IDs of the offerings and the saved reply that the settings refer to. */
export const findReferencedIds = (
  automation: AutomationName,
  settings: StoredAutomationSettings
): { readonly offeringIds: ReadonlyArray<string>; readonly replyId: string | null } => {
  const { before_24h_reply_id, offerings } = settings
  return {
    offeringIds: automation === "weather" && typeof offerings === "object" && offerings !== null
      ? Object.keys(offerings)
      : [],
    replyId: automation === "reminders" && typeof before_24h_reply_id === "string" ? before_24h_reply_id : null
  }
}

const makeReader = <A extends StoredAutomationSettings, I>(settings: Schema.Schema<A, I>): Reader =>
  ParseResult.decodeUnknownEither(Schema.Struct({ settings }), { onExcessProperty: "error" })

type Reader = (input: unknown) => Either.Either<{ readonly settings: StoredAutomationSettings }, ParseResult.ParseIssue>

const readers: { readonly [Name in AutomationName]: Reader } = {
  weather: makeReader(settingSchemas.weather),
  fill: makeReader(settingSchemas.fill),
  brief: makeReader(settingSchemas.brief),
  reminders: makeReader(settingSchemas.reminders)
}
