import { type ClaimedErrand, Outbox } from "@trailbook/core/port/Outbox"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { firstOf } from "./firstOf.ts"
import { claimed, isClaimOf, isFree, unclaimed } from "./Lease.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, type QueuedErrand, referred, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<Outbox, never, MemoryDatabase> = Layer.effect(
  Outbox,
  Effect.map(MemoryDatabase, ({ read, unitOfWork, write }) =>
    Outbox.of({
      add: (errands) =>
        write((tables) => {
          for (const { bookingId, orgId } of errands) referred(tables.bookings, within(orgId, bookingId))
          return putAll(tables, errands.map((errand) => ({ ...errand, ...unclaimed })))
        }),
      claim: ({ kinds, leaseMs, limit, now }) =>
        unitOfWork.run(Effect.gen(function*() {
          const at = yield* moment
          const due = yield* read(({ errands }) =>
            firstOf(
              Table.range(errands, "due", everyOrg, { below: { at: now + 1, id: "" } }),
              limit,
              (errand) => kinds.includes(errand.kind) && isFree(errand, at)
            )
          )
          const taken = due.map((errand) => claimed(errand, at, leaseMs))
          yield* write((tables) => putAll(tables, taken))
          return taken.map(claimOf)
        })),
      done: (errands) =>
        write((tables) => ({
          ...tables,
          errands: errands.flatMap((errand) => queued(tables, errand)).reduce(
            (left, { id, orgId }) => Table.remove(left, within(orgId, id)),
            tables.errands
          )
        })),
      postpone: (errand) =>
        write((tables) =>
          putAll(tables, queued(tables, errand).map((row) => ({ ...row, ...errand, leaseUntil: null })))
        ),
      release: (errands) =>
        write((tables) =>
          putAll(
            tables,
            errands.flatMap((errand) => queued(tables, errand)).map((row) => ({ ...row, leaseUntil: null }))
          )
        )
    }))
)

const putAll = (tables: Tables, errands: ReadonlyArray<QueuedErrand>): Tables => ({
  ...tables,
  errands: errands.reduce(Table.put, tables.errands)
})

/** The row that is claimed, unless the claim is void. */
const queued = ({ errands }: Tables, claim: ClaimedErrand): ReadonlyArray<QueuedErrand> => {
  const row = Table.get(errands, within(claim.orgId, claim.id))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}

const claimOf = (errand: QueuedErrand): ClaimedErrand => Struct.omit(errand, "leaseUntil")
