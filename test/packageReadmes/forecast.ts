import { OpenMeteo, Usgs } from "@trailbook/forecast"
import * as Layer from "effect/Layer"

/** `Forecast` and `RiverGauge`, each asked at most twice an hour for a place. */
export const sources = Layer.merge(
  OpenMeteo.layer({ contact: "ops@example.com" }),
  Usgs.layer({ contact: "ops@example.com" })
)
