import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { OpenMeteo, Usgs } from "@trailbook/forecast"
import * as Layer from "effect/Layer"

/** `Forecast` and `RiverGauge`. Each queries a location at most twice an hour. */
export const sources = Layer.merge(
  OpenMeteo.layer({ contact: "ops@example.com" }),
  Usgs.layer({ contact: "ops@example.com" })
).pipe(Layer.provide(FetchHttpClient.layer))
