import { Forecast, formatSignalUnavailable, type Reason, RiverGauge } from "@trailbook/core/forecast"
import { weatherLayer, type WeatherSettings } from "@trailbook/runtime/service/weatherLayer"
import { weatherMissing } from "@trailbook/server/dependentSettings"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { fault, type Finding, incomplete, makePassed } from "./Finding.ts"

/**
 * The check asks for Salida, Colorado, and the river gauge above its boathouse, because all supported services cover
 * them.
 */
const place = { spot: { lat: 38.5347, lon: -106.0017 }, site: "07091200" }

/** Checks the weather and river services with one request each. */
export const checkWeather = async (settings: WeatherSettings): Promise<ReadonlyArray<Finding>> => {
  const messages = weatherMissing(settings)
  if (messages.length > 0) return incomplete("weather", messages)
  const { forecast, gauges } = weatherLayer(settings)
  const [hours, river] = await Effect.runPromise(Effect.all([
    Effect.provide(Effect.flatMap(Forecast, ({ at }) => at(place.spot)), forecast),
    Effect.provide(Effect.flatMap(RiverGauge, ({ at }) => at(place.site)), gauges)
  ], { concurrency: 2 }))
  return [
    ...(settings.forecast === "off" ? [] : [
      hours._tag === "Hours"
        ? makePassed(
          "weather",
          `${hours.source} responds with a forecast for ${Math.round(hours.hours.length / 24)} days`
        )
        : fault("weather", formatSignalUnavailable(hours), fixes[hours.reason])
    ]),
    ...(settings.gauges === "off" ? [] : [
      river._tag === "River"
        ? makePassed("rivers", `${river.source} responds`)
        : fault("rivers", formatSignalUnavailable(river), fixes[river.reason])
    ])
  ]
}

const reach = "Check this machine's network access, and TRAILBOOK_FORECAST_URL or TRAILBOOK_GAUGES_URL."
const wait = "Retry later. Until then, the ops agent uses its latest data. It never proposes a cancellation without " +
  "data."
const address = "Correct or unset TRAILBOOK_FORECAST_URL or TRAILBOOK_GAUGES_URL."

const fixes: Record<Reason, string> = {
  unset: reach,
  unreachable: reach,
  slow: reach,
  limited: "The free tier's limit was reached. Set TRAILBOOK_FORECAST_KEY or TRAILBOOK_GAUGES_KEY.",
  refused: "Check TRAILBOOK_FORECAST_KEY, TRAILBOOK_GAUGES_KEY, and TRAILBOOK_FORECAST_CONTACT.",
  broken: wait,
  unreadable: address,
  units: address,
  nowhere: address,
  stale: wait
}

/** Reports outfitters that use the weather automation while no weather or river service is configured. */
export const watchedSources = (
  { forecast, gauges }: Pick<WeatherSettings, "forecast" | "gauges">
): Effect.Effect<ReadonlyArray<Finding>, never, Database> =>
  Effect.gen(function*() {
    if (forecast !== "off" || gauges !== "off") return []
    const { dialect, query } = yield* Database
    const [row] = yield* query<{ readonly n: number }>(
      `select cast(count(*) as integer) as n from ${dialect.table("automations")}
        where automation = 'weather' and dial <> 'off'`
    )
    return row === undefined || row.n === 0 ? [] : [fault(
      "weather",
      `the weather automation is on for ${row.n} outfitter${row.n === 1 ? "" : "s"}, ` +
        "but no weather service is configured",
      "Set TRAILBOOK_FORECAST, and TRAILBOOK_GAUGES for rivers, to the same values for all servers and workers."
    )]
  })
