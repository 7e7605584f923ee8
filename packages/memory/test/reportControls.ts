/** Storage adapters that break the reports law in plausible ways. */
import { ReportStore } from "@trailbook/core/report"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { breakPort } from "./brokenStorage.ts"
import { plus } from "./offByOne.ts"

/** Storage adapters that each break both laws about report rows. */
const rowControls: ReadonlyArray<readonly [how: string, storage: Layer.Layer<Storage>]> = [
  [
    "counts canceled bookings as confirmed",
    breakPort(ReportStore, ({ bookings }) => ({
      bookings: (query) => Effect.map(bookings(query), (rows) => rows.map((row) => ({ ...row, keptCents: null })))
    }))
  ],
  [
    "selects bookings by their start when the request selects them by the time of the booking",
    breakPort(ReportStore, ({ bookings }) => ({ bookings: (query) => bookings({ ...query, basis: "start" }) }))
  ],
  [
    "loses the price lines",
    breakPort(ReportStore, ({ bookings }) => ({
      bookings: (query) => Effect.map(bookings(query), (rows) => rows.map((row) => ({ ...row, lines: null })))
    }))
  ],
  [
    "reads entries of a day too many",
    breakPort(ReportStore, ({ entries }) => ({
      entries: ({ to, ...query }) => entries({ ...query, to: Instant.addMinutes(to, 1440) })
    }))
  ],
  [
    "counts all money from later bookings as deferred",
    breakPort(ReportStore, ({ receivedBefore }) => ({
      receivedBefore: (query) =>
        Effect.map(receivedBefore({ ...query, from: Instant.min }), (rows) => rows.filter(({ at }) => at >= query.from))
    }))
  ],
  [
    "starts each page one row too late",
    breakPort(ReportStore, ({ bookings }) => ({
      bookings: (query) =>
        query.after === undefined
          ? bookings(query)
          : Effect.map(bookings({ ...query, limit: query.limit + 1 }), (rows) => rows.slice(1))
    }))
  ],
  [
    "considers every guest as new",
    breakPort(ReportStore, ({ guestStarts }) => ({
      guestStarts: (query) => Effect.map(guestStarts(query), (rows) => rows.map((row) => ({ ...row, firstAt: row.at })))
    }))
  ]
]

export const reportControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "reports/day",
    "includes the end of the span",
    breakPort(ReportStore, ({ day }) => ({ day: (query) => day({ ...query, to: plus(query.to) }) }))
  ],
  [
    "reports/day",
    "counts no arrivals",
    breakPort(ReportStore, ({ day }) => ({
      day: (query) =>
        Effect.map(day(query), ({ balances, open }) => ({
          balances: balances.map((row) => ({ ...row, arrived: 0 })),
          open
        }))
    }))
  ],
  [
    "reports/day",
    "includes expired holds",
    breakPort(ReportStore, ({ day }) => ({ day: (query) => day({ ...query, now: Instant.min }) }))
  ],
  [
    "reports/day",
    "returns one open booking too few",
    breakPort(ReportStore, ({ day }) => ({ day: (query) => day({ ...query, limit: query.limit - 1 }) }))
  ],
  ...["reports/rows", "reports/season"].flatMap((law) =>
    rowControls.map(([how, storage]) => [law, how, storage] as const)
  )
]
