/** Weather and river data for the ops agent. Without data, the agent does not cancel trips because of the weather. */
export interface Weather {
  /** Weather forecasts from a service or from the host application. */
  readonly forecast?: ForecastSource | Forecast | undefined
  /** River gauges from the USGS or from the host application. */
  readonly gauges?: GaugeSource | Gauges | undefined
}

/**
 * A forecast service. Open-Meteo is free for noncommercial use, and requires a key for commercial use. The National
 * Weather Service (`nws`) covers the United States and requires a `contact`.
 */
export interface ForecastSource {
  readonly source: "open-meteo" | "nws"
  /** The base URL. Default: the service's public URL. */
  readonly url?: string | undefined
  readonly key?: string | undefined
  /** Your contact information for the service, such as an email address. */
  readonly contact?: string | undefined
}

export interface GaugeSource {
  readonly source: "usgs"
  readonly url?: string | undefined
  readonly key?: string | undefined
  readonly contact?: string | undefined
}

/**
 * A custom forecast source. If a call throws, takes longer than 10 seconds, or resolves to `null`, no forecast is
 * available. Trailbook calls it for every location each time an automation runs, so cache the results.
 */
export interface Forecast {
  readonly at: (spot: { readonly lat: number; readonly lon: number }) => Promise<ForecastHours | null>
}

export interface ForecastHours {
  readonly hours: ReadonlyArray<ForecastHour>
  /** When the forecast was issued, in epoch milliseconds. Forecasts older than 12 hours are ignored. */
  readonly issuedAt: number
  /** The display name of the source. */
  readonly source: string
  /** The attribution, which is shown wherever the data is shown. */
  readonly attribution: { readonly text: string; readonly url: string }
}

/**
 * The weather during a period, usually 1 hour. `from` and `to` are in epoch milliseconds. Null means unknown, which is
 * never a reason to cancel a trip.
 */
export interface ForecastHour {
  readonly from: number
  readonly to: number
  readonly tempC: number | null
  readonly windKph: number | null
  readonly gustKph: number | null
  readonly precipMm: number | null
  readonly precipPct: number | null
  readonly thunder: boolean | null
}

/**
 * A custom gauge source, queried with an offering's `gauge_site`. If a call throws, takes longer than 10 seconds, or
 * resolves to `null`, no measurement is available.
 */
export interface Gauges {
  readonly at: (site: string) => Promise<GaugeReadings | null>
}

/** A gauge's latest measurements, with `at` in epoch milliseconds. Measurements older than 2 hours are ignored. */
export interface GaugeReadings {
  readonly flowCfs: { readonly value: number; readonly at: number } | null
  readonly gageFt: { readonly value: number; readonly at: number } | null
  readonly source: string
  readonly attribution: { readonly text: string; readonly url: string }
}
