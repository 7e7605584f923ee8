/** Storage adapters that each break one capacity law. */
import { type Booking, BookingStore } from "@trailbook/core/booking"
import { OfferingStore } from "@trailbook/core/offering"
import type { Offering } from "@trailbook/core/offering/Offering"
import { EventLog } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { breakPort, storingBookings } from "./brokenStorage.ts"

/** Returns offerings that differ from the stored ones. */
const remembering = (other: (offering: Offering) => Offering) =>
  breakPort(OfferingStore, ({ find, lock }) => ({
    find: (keys) => Effect.map(find(keys), (rows) => rows.map(other)),
    lock: (keys) => Effect.map(lock(keys), (rows) => rows.map(other))
  }))

const noBookings = { bookedSpans: [], lapsedAt: null }

const withoutTaken = breakPort(BookingStore, () => ({
  overlapping: (queries) => Effect.succeed(queries.map(() => noBookings))
}))

/** Stores bookings that differ from core's decisions. */
const storing = (other: (booking: Booking) => Booking) => storingBookings((bookings) => bookings.map(other))

const free = breakPort(BookingStore, ({ overlapping }) => ({
  overlapping: (queries) =>
    queries.some(({ except }) => except !== undefined)
      ? Effect.succeed(queries.map(() => noBookings))
      : overlapping(queries)
}))

export const capacityControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  ["never oversold", "runs transactions without isolation", Memory.layerUnguarded],
  ["never oversold", "reports every place as free", withoutTaken],
  [
    "never oversold",
    "ignores buffers between bookings",
    remembering((offering) => ({ ...offering, bufferMinutes: 0 }))
  ],
  [
    "never oversold",
    "misses bookings that start before the interval",
    breakPort(BookingStore, ({ overlapping }) => ({
      overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, startsAfter: query.endsAfter })))
    }))
  ],
  [
    "seats",
    "counts no booked seats",
    breakPort(
      SessionStore,
      () => ({ countBookedSeats: (queries) => Effect.succeed(queries.map(() => ({ booked: 0, lapsedAt: null }))) })
    )
  ],
  [
    "seats",
    "keeps the bookings of a canceled session",
    breakPort(BookingStore, () => ({ lockInSession: () => Effect.succeed([]) }))
  ],
  [
    "seats",
    "lists sessions without their booked seats",
    breakPort(SessionStore, ({ list }) => ({
      list: (query) => Effect.map(list(query), (rows) => rows.map((row) => ({ ...row, booked: 0 })))
    }))
  ],
  [
    "availability is bookable",
    "makes bookings one minute longer than shown",
    storing((booking) => ({ ...booking, endsAt: Instant.addMinutes(booking.endsAt, 1) }))
  ],
  [
    "availability is bookable",
    "sells one place less than shown",
    breakPort(OfferingStore, ({ lock }) => ({
      lock: (keys) =>
        Effect.map(lock(keys), (rows) => rows.map((row) => ({ ...row, capacity: Math.max(1, row.capacity - 1) })))
    }))
  ],
  [
    "availability is bookable",
    "sells start times that availability does not show",
    breakPort(OfferingStore, ({ find }) => ({
      find: (keys) => Effect.map(find(keys), (rows) => rows.map((row) => ({ ...row, minNoticeMinutes: 600 })))
    }))
  ],
  [
    "remaining",
    "counts expired holds",
    breakPort(
      BookingStore,
      ({ overlapping }) => ({
        overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
      })
    )
  ],
  ["remaining", "reports every place as free", withoutTaken],
  [
    "largest booking",
    "ignores the limit per booking",
    remembering((offering) => ({ ...offering, maxPerBooking: 10_000 }))
  ],
  ["largest booking", "ignores the longest rental", remembering((offering) => ({ ...offering, maxPeriods: 60 }))],
  [
    "inside opening hours",
    "shifts the opening hours by one weekday",
    remembering((offering) => ({
      ...offering,
      hours: offering.hours.map((entry) => ({ ...entry, weekday: (entry.weekday + 1) % 7 }))
    }))
  ],
  [
    "inside opening hours",
    "closes one hour later",
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
    "treats every day as 24 hours",
    storing(({ endsAt: _end, ...booking }) => ({
      ...booking,
      endsAt: Instant.addMinutes(booking.startsAt, booking.periodMinutes * booking.periods)
    }))
  ],
  [
    "duration",
    "ignores the configured duration",
    remembering((offering) => ({ ...offering, durationMinutes: 30 }))
  ],
  [
    "notice and horizon",
    "ignores the minimum notice",
    remembering((offering) => ({ ...offering, minNoticeMinutes: 0 }))
  ],
  [
    "notice and horizon",
    "ignores the booking horizon",
    remembering((offering) => ({ ...offering, maxAdvanceDays: 730 }))
  ],
  [
    "cancellation frees capacity",
    "stores a canceled booking as confirmed",
    storing((booking) => {
      if (booking.status !== "cancelled") return booking
      const { cancelledAt: _at, ...fields } = booking
      return { ...fields, status: "confirmed" as const, confirmedAt: booking.createdAt }
    })
  ],
  [
    "holds",
    "expires holds one second early",
    breakPort(BookingStore, ({ overlapping }) => ({
      overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, now: Instant.make(query.now + 1000) })))
    }))
  ],
  [
    "holds",
    "counts expired holds",
    breakPort(
      BookingStore,
      ({ overlapping }) => ({
        overlapping: (queries) => overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
      })
    )
  ],
  ["holds", "confirms an expired hold although no place is free", free],
  [
    "moves",
    "counts the moved booking as overlapping itself",
    breakPort(BookingStore, ({ overlapping }) => ({
      overlapping: (queries) => overlapping(queries.map(({ except: _booking, ...query }) => query))
    }))
  ],
  ["moves", "moves bookings into places that are full", free],
  [
    "moves",
    "adds one cent to the price of a moved booking",
    storing((booking) => booking.previous === null ? booking : { ...booking, totalCents: booking.totalCents + 1 })
  ],
  [
    "retries",
    "finds no bookings by idempotency key",
    breakPort(BookingStore, () => ({ findByIdempotencyKey: () => Effect.succeed([]) }))
  ],
  [
    "events",
    "loses an event of a transaction",
    breakPort(EventLog, ({ append }) => ({ append: (events) => append(events.slice(0, 1)) }))
  ]
]
