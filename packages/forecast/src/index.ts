/** Reads weather forecasts and river gauges. */
export * as Nws from "./Nws.ts"
export * as OpenMeteo from "./OpenMeteo.ts"
export * as Usgs from "./Usgs.ts"
