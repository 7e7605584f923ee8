/**
 * What the ops agent knows of the weather and of rivers by. Without it nothing is known, and no trip is cancelled
 * over the weather.
 */
export interface Weather {
  /** Forecasts: of a service, or the program's own. */
  readonly forecast?: ForecastSource | Forecast | undefined
  /** River gauges: those of the USGS, or the program's own. */
  readonly gauges?: GaugeSource | Gauges | undefined
}

/**
 * A service that is asked for forecasts. Open-Meteo is free for who earns nothing with it; others have a key. The
 * National Weather Service, `nws`, is of the United States and wants to know a `contact`.
 */
export interface ForecastSource {
  readonly source: "open-meteo" | "nws"
  /** The address that is asked; the service's own when nothing is said. */
  readonly url?: string | undefined
  readonly key?: string | undefined
  /** Where the service reaches you, such as an e-mail address. */
  readonly contact?: string | undefined
}

export interface GaugeSource {
  readonly source: "usgs"
  readonly url?: string | undefined
  readonly key?: string | undefined
  readonly contact?: string | undefined
}

/**
 * Forecasts of the program's own. One that throws, or takes longer than 10 seconds, knows nothing; so does one that
 * answers `null`. It is asked for a place as often as automations look, so it should remember what it knows.
 */
export interface Forecast {
  readonly at: (spot: { readonly lat: number; readonly lon: number }) => Promise<ForecastHours | null>
}

export interface ForecastHours {
  readonly hours: ReadonlyArray<ForecastHour>
  /** When the forecast was made, in epoch milliseconds: one that is older than 12 hours counts for nothing. */
  readonly issuedAt: number
  /** Who is asked, as it is told to people. */
  readonly source: string
  /** Stands wherever the data is shown. */
  readonly attribution: { readonly text: string; readonly url: string }
}

/**
 * The weather from one moment to another, both in epoch milliseconds; an hour as a rule. Null is not known, and never
 * a reason to call a trip off.
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
 * River gauges of the program's own, by the `gauge_site` of offerings. One that throws, or takes longer than 10 seconds,
 * knows nothing; so does one that answers `null`.
 */
export interface Gauges {
  readonly at: (site: string) => Promise<River | null>
}

/** What a gauge measured last, and when in epoch milliseconds: what is older than two hours counts for nothing. */
export interface River {
  readonly flowCfs: { readonly value: number; readonly at: number } | null
  readonly gageFt: { readonly value: number; readonly at: number } | null
  readonly source: string
  readonly attribution: { readonly text: string; readonly url: string }
}
