/** Weather forecasts and river gauges. */
export * from "./evaluateLimits.ts"
export * from "./scales.ts"
export * from "./Signals.ts"
