/** Weather forecasts and river gauges for the ports of the core. */
export * as Nws from "./Nws.ts"
export * as OpenMeteo from "./OpenMeteo.ts"
export * as Usgs from "./Usgs.ts"
