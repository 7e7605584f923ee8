/** Weather forecasts and river gauges. */
export * from "./Forecast.ts"
export * from "./Limits.ts"
export * from "./RiverGauge.ts"
export * from "./scales.ts"
export * from "./SignalUnavailable.ts"
