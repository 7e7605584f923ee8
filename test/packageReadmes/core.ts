import { listWeeklyStarts } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"

/** Three Saturdays at 9:00 in Salida, before and after a clock change. */
const first = Instant.make(Date.UTC(2027, 2, 6, 16))
export const departures = listWeeklyStarts(Zone.get("America/Denver"), first, 3).map(Instant.format)
console.log(departures)
