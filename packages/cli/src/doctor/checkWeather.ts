import { Forecast, formatSignalUnavailable, RiverGauge, type SignalUnavailableReason } from "@trailbook/core/forecast"
import { makeWeatherLayers, type WeatherSettings } from "@trailbook/runtime/service/weatherLayers"
import { listMissingWeatherSettings } from "@trailbook/server/dependentSettings"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { type Finding, makeFailedFinding, makePassedFinding, toMissingSettingFindings } from "./Finding.ts"

/**
 * The check queries Salida, Colorado, and the river gauge above its boathouse, because all supported services cover
 * them.
 */
const testLocation = { spot: { lat: 38.5347, lon: -106.0017 }, site: "07091200" }

/** Checks the weather and river services with one request each. */
export const checkWeather = async (settings: WeatherSettings): Promise<ReadonlyArray<Finding>> => {
  const messages = listMissingWeatherSettings(settings)
  if (messages.length > 0) return toMissingSettingFindings("weather", messages)
  const { forecast, gauges } = makeWeatherLayers(settings)
  const [forecastSignal, gaugeSignal] = await Effect.runPromise(Effect.all([
    Effect.provide(Effect.flatMap(Forecast, ({ at }) => at(testLocation.spot)), forecast),
    Effect.provide(Effect.flatMap(RiverGauge, ({ at }) => at(testLocation.site)), gauges)
  ], { concurrency: 2 }))
  return [
    ...(settings.forecast === "off" ? [] : [
      forecastSignal._tag === "Hours"
        ? makePassedFinding(
          "weather",
          `${forecastSignal.source} responds with a forecast for ${Math.round(forecastSignal.hours.length / 24)} days`
        )
        : makeFailedFinding("weather", formatSignalUnavailable(forecastSignal), fixes[forecastSignal.reason])
    ]),
    ...(settings.gauges === "off" ? [] : [
      gaugeSignal._tag === "River"
        ? makePassedFinding("rivers", `${gaugeSignal.source} responds`)
        : makeFailedFinding("rivers", formatSignalUnavailable(gaugeSignal), fixes[gaugeSignal.reason])
    ])
  ]
}

const networkFix = "Check this machine's network access, and TRAILBOOK_FORECAST_URL or TRAILBOOK_GAUGES_URL."
const retryFix =
  "Retry later. Until then, the ops agent uses its latest data. It never proposes a cancellation without " +
  "data."
const addressFix = "Correct or unset TRAILBOOK_FORECAST_URL or TRAILBOOK_GAUGES_URL."

const fixes: Record<SignalUnavailableReason, string> = {
  unset: networkFix,
  unreachable: networkFix,
  slow: networkFix,
  limited: "The free tier's limit was reached. Set TRAILBOOK_FORECAST_KEY or TRAILBOOK_GAUGES_KEY.",
  refused: "Check TRAILBOOK_FORECAST_KEY, TRAILBOOK_GAUGES_KEY, and TRAILBOOK_FORECAST_CONTACT.",
  broken: retryFix,
  unreadable: addressFix,
  units: addressFix,
  nowhere: addressFix,
  stale: retryFix
}

/** Reports outfitters that use the weather automation although no weather or river service is configured. */
export const checkWeatherUse = (
  { forecast, gauges }: Pick<WeatherSettings, "forecast" | "gauges">
): Effect.Effect<ReadonlyArray<Finding>, never, Database> =>
  Effect.gen(function*() {
    if (forecast !== "off" || gauges !== "off") return []
    const { dialect, query } = yield* Database
    const [row] = yield* query<{ readonly n: number }>(
      `select cast(count(*) as integer) as n from ${dialect.table("automations")}
        where automation = 'weather' and dial <> 'off'`
    )
    return row === undefined || row.n === 0 ? [] : [makeFailedFinding(
      "weather",
      `the weather automation is on for ${row.n} outfitter${row.n === 1 ? "" : "s"}, ` +
        "but no weather service is configured",
      "Set TRAILBOOK_FORECAST, and TRAILBOOK_GAUGES for rivers, to the same values for all servers and workers."
    )]
  })
