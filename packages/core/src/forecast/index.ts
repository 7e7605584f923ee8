/** Weather forecasts and river gauges. */
export * from "./evaluateLimits.ts"
export * from "./Forecast.ts"
export * from "./RiverGauge.ts"
export * from "./scales.ts"
export * from "./SignalUnavailable.ts"
