/** Weather forecasts and river gauges. */
export * from "./displayScales.ts"
export * from "./evaluateLimits.ts"
export * from "./Signals.ts"
