import { Forecast } from "@trailbook/core/forecast/Forecast"
import { RiverGauge } from "@trailbook/core/forecast/RiverGauge"
import { format, type Reason } from "@trailbook/core/forecast/SignalUnavailable"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { weatherMissing } from "../server/dependentSettings.ts"
import { weatherLayer, type WeatherSettings } from "../server/weatherLayer.ts"
import { fault, type Finding, incomplete, makePassed } from "./Finding.ts"

/** Salida, Colorado, and the gauge above its boathouse: every source that there is knows them. */
const asked = { spot: { lat: 38.5347, lon: -106.0017 }, site: "07091200" }

/**
 * Whether those who are set to be asked for the weather and the rivers answer, by asking
 * each once for a place that all know.
 */
export const checkWeather = async (settings: WeatherSettings): Promise<ReadonlyArray<Finding>> => {
  const missing = weatherMissing(settings)
  if (missing.length > 0) return incomplete("weather", missing)
  const { forecast, gauges } = weatherLayer(settings)
  const [hours, river] = await Effect.runPromise(Effect.all([
    Effect.provide(Effect.flatMap(Forecast, ({ at }) => at(asked.spot)), forecast),
    Effect.provide(Effect.flatMap(RiverGauge, ({ at }) => at(asked.site)), gauges)
  ], { concurrency: 2 }))
  return [
    ...(settings.forecast === "off" ? [] : [
      hours._tag === "Hours"
        ? makePassed("weather", `${hours.source} answers, for ${Math.round(hours.hours.length / 24)} days ahead`)
        : fault("weather", format(hours), fixes[hours.reason])
    ]),
    ...(settings.gauges === "off" ? [] : [
      river._tag === "River"
        ? makePassed("rivers", `${river.source} answers`)
        : fault("rivers", format(river), fixes[river.reason])
    ])
  ]
}

const reach =
  "Let this machine connect there, or correct the address in TRAILBOOK_FORECAST_URL or TRAILBOOK_GAUGES_URL."
const wait = "Try again later; until then the ops agent goes by what it asked last, and calls nothing off over nothing."
const address = "Correct the address in TRAILBOOK_FORECAST_URL or TRAILBOOK_GAUGES_URL, or leave it out."

const fixes: Record<Reason, string> = {
  unset: reach,
  unreachable: reach,
  slow: reach,
  limited: "Too much was asked for free: set a key, TRAILBOOK_FORECAST_KEY or TRAILBOOK_GAUGES_KEY.",
  refused: "Correct TRAILBOOK_FORECAST_KEY, TRAILBOOK_GAUGES_KEY or TRAILBOOK_FORECAST_CONTACT.",
  broken: wait,
  unreadable: address,
  units: address,
  nowhere: address,
  stale: wait
}

/** Whether outfitters have an automation on that asks for the weather while nobody is there to be asked. */
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
      `the automation weather is on for ${row.n} outfitter${row.n === 1 ? "" : "s"}, and nobody is asked`,
      "Set TRAILBOOK_FORECAST, and TRAILBOOK_GAUGES for rivers; the same for every server and worker."
    )]
  })
