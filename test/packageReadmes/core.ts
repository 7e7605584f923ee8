import { weeklyStarts } from "@trailbook/core/session/weeklyStarts"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"

/** Three Saturdays at nine in Salida; in between the clocks go forward. */
const first = Instant.make(Date.UTC(2027, 2, 6, 16))
export const departures = weeklyStarts(Zone.get("America/Denver"), first, 3).map(Instant.format)
console.log(departures)
