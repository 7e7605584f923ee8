/**
 * @since 0.1.0
 */
import { Outbox } from "@trailbook/core/port/Outbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { firstOf } from "./firstOf.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, found, referred, within } from "./Tables.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Outbox, never, MemoryDatabase> = Layer.effect(
  Outbox,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    Outbox.of({
      add: (errands) =>
        write((tables) => {
          for (const { bookingId, orgId } of errands) referred(tables.bookings, within(orgId, bookingId))
          return { ...tables, errands: errands.reduce(Table.put, tables.errands) }
        }),
      due: (now, limit) =>
        read(({ errands }) =>
          firstOf(Table.range(errands, "due", everyOrg, { below: { at: now + 1, id: "" } }), limit)
        ),
      done: ({ id, orgId }) =>
        write((tables) => ({ ...tables, errands: Table.remove(tables.errands, within(orgId, id)) })),
      postpone: (errand) =>
        write((tables) =>
          // Somebody else may have done it meanwhile; then it must not come back.
          found(tables.errands, [errand]).length === 0
            ? tables
            : { ...tables, errands: Table.put(tables.errands, errand) }
        )
    }))
)
