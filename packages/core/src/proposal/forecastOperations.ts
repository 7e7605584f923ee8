/** The weather and river data for the next trips, as the weather automation evaluates it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AutomationStore } from "../automation/Automation.ts"
import { applyDefaultSettings } from "../automation/automationSettings.ts"
import { getTripConditions } from "../automation/morningBrief.ts"
import { countGuests } from "../automation/Trip.ts"
import { getOfferingWeatherLimits, isInLookAheadWindow } from "../automation/weatherRules.ts"
import { evaluateLimits, limitNames } from "../forecast/evaluateLimits.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { OrgStore } from "../org/Orgs.ts"
import { getUnits } from "../org/units.ts"
import { makePaginatedHandler, smallRowPageSize } from "../port/readInPages.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { toStartPosition } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { Decimal, exampleIds, Id, Integer, page, Timestamp } from "../wire/View.ts"
import { toWeatherSignals } from "./collectSuggestions.ts"
import { makeTripReader, makeWeatherReader } from "./trips.ts"

const measureField = (description: string, example: number) =>
  Field.withDescription(`${description}, or null if unknown`, Schema.NullOr(Decimal), example)

const TripForecast = Schema.Struct({
  offering_id: Field.withDescription("the offering", Id, exampleIds.offering),
  offering: Field.withDescription("the offering name", Schema.String, "Browns Canyon Half Day"),
  session_id: Field.withDescription(
    "the class session, or null for other kinds",
    Schema.NullOr(Id),
    exampleIds.session
  ),
  booking_id: Field.withDescription(
    "the appointment or rental booking, or null for a class",
    Schema.NullOr(Id),
    null
  ),
  starts_at: Field.withDescription("its start", Timestamp),
  ends_at: Field.withDescription("its end", Timestamp),
  guests: Field.withDescription("the number of booked seats, people, or items", Integer, 7),
  checked: Field.withDescription("whether the ops agent currently checks this trip against the limits", Schema.Boolean),
  outside_limits: Field.withDescription("the exceeded limits, as text", Schema.Array(Schema.String), [
    "gusts of 72 km/h (limit 60)"
  ]),
  unknown_limits: Field.withDescription(
    "the limits that cannot be checked because data is missing",
    Schema.Array(Schema.Literal(...limitNames)),
    []
  ),
  temp_c: Field.withDescription(
    "the lowest and highest temperature, or null if unknown",
    Schema.NullOr(Schema.Array(Decimal)),
    [12, 24]
  ),
  wind_kph: measureField("the strongest wind", 18),
  gust_kph: measureField("the strongest gust", 31),
  precip_pct: measureField("the highest probability of rain", 20),
  thunder: Field.withDescription("whether thunderstorms are forecast", Schema.Boolean),
  flow_cfs: measureField("the current river flow", 1180),
  gage_ft: measureField("the current river level", 4.2),
  missing: Field.withDescription("the sources without data, each with the reason", Schema.Array(Schema.String), []),
  attribution: Field.withDescription(
    "the sources to credit when you show the data",
    Schema.Array(Schema.Struct({
      text: Field.withDescription("the text to show", Schema.String),
      url: Field.withDescription("the link to show", Schema.String)
    })),
    [{ text: "Open-Meteo", url: "https://open-meteo.com" }]
  )
}).annotations({ identifier: "TripForecast" })

export const forecastGet = Operation.make("forecast.get", {
  route: ["GET", "/forecast"],
  summary: "Get the weather and river conditions that the ops agent uses for upcoming trips.",
  description:
    "Returns class sessions, plus appointment and rental bookings, by start. Queries the configured sources. Missing " +
    "data never counts as an exceeded limit or a reason to act.",
  input: Schema.Struct({
    days: Field.describedOptional("trips that start within this many days", Field.integer(1, 14), 2),
    offering_id: Field.describedOptional("only trips for this offering", Field.uuid),
    ...Field.paging
  }),
  output: page(TripForecast),
  tool: {
    title: "Get the forecast",
    toolset: "agent",
    description: "Returns the weather, river conditions, and exceeded limits for upcoming trips."
  }
})

export const forecastOperations = [forecastGet] as const

type Row = typeof TripForecast.Type

const list = makePaginatedHandler(
  "forecast",
  smallRowPageSize,
  ({ id, startsAt }: { readonly id: string; readonly startsAt: Instant.Instant; readonly row: Row }) =>
    toStartPosition({ id, startsAt }),
  ({ row }) => row
)

export const forecastHandlers = Effect.gen(function*() {
  const automations = yield* AutomationStore
  const orgs = yield* OrgStore
  const weatherReader = yield* makeWeatherReader
  const trips = yield* makeTripReader
  return {
    "forecast.get": ({ days = 2, offering_id, ...paging }, { orgId }) =>
      list(paging, (after, limit) =>
        Effect.gen(function*() {
          const now = yield* currentTime
          const units = getUnits(yield* Effect.orDie(Effect.flatten(orgs.find(orgId))))
          const automationRows = yield* automations.list(orgId)
          const settings = applyDefaultSettings(
            "weather",
            automationRows.find(({ automation }) => automation === "weather")?.settings ?? {}
          )
          const to = Instant.addMinutes(now, days * 24 * 60)
          const rows = (yield* trips.tripsIn({ orgId, from: now, to, now }))
            .filter(({ offering }) => offering_id === undefined || offering.id === offering_id)
            .map((one) => ({ ...one, id: one.trip.sessionId ?? one.records[0]?.booking.id ?? "" }))
            .toSorted((a, b) => a.trip.startsAt - b.trip.startsAt || (a.id < b.id ? -1 : 1))
            .filter(({ id, trip: { startsAt: at } }) =>
              after === undefined || at > after.at || (at === after.at && id > after.id)
            )
            .slice(0, limit)
          const weatherByOffering = yield* weatherReader.of(rows.map(({ offering }) => offering), now)
          return rows.map(({ id, offering, trip }) => {
            const limits = getOfferingWeatherLimits(settings, offering.id)
            const data = weatherByOffering.get(offering.id)
            const { river, weather } = toWeatherSignals(data)
            const { broken, unknown } = evaluateLimits(limits, trip, weather, river)
            const row: Row = {
              offering_id: offering.id,
              offering: offering.name,
              session_id: trip.sessionId,
              booking_id: trip.sessionId === null ? id : null,
              starts_at: Instant.format(trip.startsAt),
              ends_at: Instant.format(trip.endsAt),
              guests: countGuests(trip),
              checked: isInLookAheadWindow(limits, trip, now),
              unknown_limits: unknown,
              ...getTripConditions({ ...trip, broken, weather: data?.weather, river: data?.river }, units)
            }
            return { id, startsAt: trip.startsAt, row }
          })
        }))
  } satisfies OperationHandlers<typeof forecastOperations>
})
