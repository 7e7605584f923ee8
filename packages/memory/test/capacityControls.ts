/** For each capacity law, a storage that breaks it. */
import type { Booking } from "@trailbook/core/booking/Booking"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import type { Offering } from "@trailbook/core/offering/Offering"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { broken } from "./broken.ts"

/** Returns offerings that differ from the stored ones. */
const remembering = (other: (offering: Offering) => Offering) =>
  broken(OfferingStore, ({ find, lock }) => ({
    find: (keys) => Effect.map(find(keys), (rows) => rows.map(other)),
    lock: (keys) => Effect.map(lock(keys), (rows) => rows.map(other))
  }))

const nothing = { taken: [], lapsedAt: null }

const withoutTaken = broken(BookingStore, () => ({
  overlapping: (queries) => Effect.succeed(queries.map(() => nothing))
}))

/** Stores bookings that differ from the decided ones. */
const storing = (other: (booking: Booking) => Booking) =>
  broken(BookingStore, ({ put }) => ({ put: (rows) => put(rows.map(other)) }))

const free = broken(BookingStore, ({ overlapping }) => ({
  overlapping: (queries) =>
    queries.some(({ except }) => except !== undefined)
      ? Effect.succeed(queries.map(() => nothing))
      : overlapping(queries)
}))

export const capacityControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  ["never oversold", "units of work run unguarded", Memory.layerUnguarded],
  ["never oversold", "nothing is ever taken", withoutTaken],
  ["never oversold", "buffers are forgotten", remembering((offering) => ({ ...offering, bufferMinutes: 0 }))],
  [
    "never oversold",
    "bookings that begin before the span are not found",
    broken(BookingStore, ({ overlapping }) => ({
      overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, startsAfter: query.endsAfter })))
    }))
  ],
  [
    "seats",
    "booked seats are not counted",
    broken(
      SessionStore,
      () => ({ booked: (queries) => Effect.succeed(queries.map(() => ({ booked: 0, lapsedAt: null }))) })
    )
  ],
  [
    "seats",
    "a session that is cancelled keeps its bookings",
    broken(BookingStore, () => ({ lockInSession: () => Effect.succeed([]) }))
  ],
  [
    "seats",
    "nobody is shown to be booked",
    broken(SessionStore, ({ list }) => ({
      list: (query) => Effect.map(list(query), (rows) => rows.map((row) => ({ ...row, booked: 0 })))
    }))
  ],
  [
    "availability is bookable",
    "bookings last a minute longer than shown",
    storing((booking) => ({ ...booking, endsAt: Instant.addMinutes(booking.endsAt, 1) }))
  ],
  [
    "availability is bookable",
    "one place less is sold than shown",
    broken(OfferingStore, ({ lock }) => ({
      lock: (keys) =>
        Effect.map(lock(keys), (rows) => rows.map((row) => ({ ...row, capacity: Math.max(1, row.capacity - 1) })))
    }))
  ],
  [
    "availability is bookable",
    "what is hidden is sold",
    broken(OfferingStore, ({ find }) => ({
      find: (keys) => Effect.map(find(keys), (rows) => rows.map((row) => ({ ...row, minNoticeMinutes: 600 })))
    }))
  ],
  [
    "remaining",
    "expired holds keep their places",
    broken(
      BookingStore,
      ({ overlapping }) => ({
        overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
      })
    )
  ],
  ["remaining", "nothing is ever taken", withoutTaken],
  [
    "largest booking",
    "the largest booking is forgotten",
    remembering((offering) => ({ ...offering, maxPerBooking: 10_000 }))
  ],
  ["largest booking", "the longest rental is forgotten", remembering((offering) => ({ ...offering, maxPeriods: 60 }))],
  [
    "inside opening hours",
    "Sunday comes last",
    remembering((offering) => ({
      ...offering,
      hours: offering.hours.map((entry) => ({ ...entry, weekday: (entry.weekday + 1) % 7 }))
    }))
  ],
  [
    "inside opening hours",
    "it closes an hour later",
    remembering((offering) => ({
      ...offering,
      hours: offering.hours.map((entry) => ({
        ...entry,
        endTime: LocalTime.make(Math.min(86_400, entry.endTime + 3600))
      }))
    }))
  ],
  [
    "duration",
    "a day is always 24 hours",
    storing(({ endsAt: _end, ...booking }) => ({
      ...booking,
      endsAt: Instant.addMinutes(booking.startsAt, booking.periodMinutes * booking.periods)
    }))
  ],
  [
    "duration",
    "the duration is forgotten",
    remembering((offering) => ({ ...offering, durationMinutes: 30 }))
  ],
  ["notice and horizon", "notice is forgotten", remembering((offering) => ({ ...offering, minNoticeMinutes: 0 }))],
  ["notice and horizon", "the horizon is forgotten", remembering((offering) => ({ ...offering, maxAdvanceDays: 730 }))],
  [
    "cancellation frees capacity",
    "what is cancelled stays confirmed",
    broken(BookingStore, ({ put }) => ({
      put: (rows) => {
        return put(rows.map((row) => {
          if (row.status !== "cancelled") return row
          const { cancelledAt: _at, ...kept } = row
          return { ...kept, status: "confirmed" as const }
        }))
      }
    }))
  ],
  [
    "holds",
    "holds expire a second early",
    broken(BookingStore, ({ overlapping }) => ({
      overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, now: Instant.make(query.now + 1000) })))
    }))
  ],
  [
    "holds",
    "expired holds keep their places",
    broken(
      BookingStore,
      ({ overlapping }) => ({
        overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
      })
    )
  ],
  ["holds", "an expired hold is confirmed into a full place", free],
  [
    "moves",
    "a booking is in its own way",
    broken(BookingStore, ({ overlapping }) => ({
      overlapping: (queries) => overlapping(queries.map(({ except: _booking, ...query }) => query))
    }))
  ],
  ["moves", "nothing is in the way of a move", free],
  [
    "moves",
    "a move costs a cent",
    storing((booking) => booking.previous === null ? booking : { ...booking, totalCents: booking.totalCents + 1 })
  ],
  [
    "retries",
    "keys are not looked up",
    broken(BookingStore, () => ({ findByIdempotencyKey: () => Effect.succeed([]) }))
  ],
  [
    "events",
    "one event of a unit is lost",
    broken(EventLog, ({ append }) => ({ append: (events) => append(events.slice(0, 1)) }))
  ]
]
