/**
 * @since 0.1.0
 */
import { isLive } from "@trailbook/core/booking/Booking"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { firstOf } from "./firstOf.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { boundsOf } from "./startBounds.ts"
import * as Table from "./Table.ts"
import { found, referred, type Tables, within } from "./Tables.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<SessionStore, never, MemoryDatabase> = Layer.effect(
  SessionStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    SessionStore.of({
      list: (query) =>
        read((tables) =>
          firstOf(
            Table.range(tables.sessions, "start", query.orgId, boundsOf({ ...query, order: "asc" })),
            query.limit,
            ({ offeringId, status }) =>
              (query.offeringId === undefined || offeringId === query.offeringId) &&
              (query.status === undefined || status === query.status)
          ).map((session) => ({ session, booked: booked(tables, session, query.now) }))
        ),
      lock: (keys) => read(({ sessions }) => found(sessions, keys)),
      lockComing: ({ id, orgId }, now) =>
        read(({ sessions }) =>
          [...Table.range(sessions, "inOffering", within(orgId, id), { above: { at: now + 1, id: "" } })]
            .filter(({ status }) => status === "scheduled")
            .sort((a, b) => a.id < b.id ? -1 : 1)
        ),
      booked: (keys, now) => read((tables) => keys.map((key) => booked(tables, key, now))),
      put: (rows) =>
        write((tables) => {
          for (const { offeringId, orgId } of rows) referred(tables.offerings, within(orgId, offeringId))
          return { ...tables, sessions: rows.reduce(Table.put, tables.sessions) }
        })
    }))
)

const booked = (
  { bookings }: Tables,
  { except, id, orgId }: Key & { readonly except?: string },
  now: Instant
): number => {
  let seats = 0
  for (const booking of Table.range(bookings, "inSession", within(orgId, id))) {
    if (booking.id !== except && isLive(booking, now)) seats += booking.quantity
  }
  return seats
}
