/**
 * A writer that makes one change after another, each in a separate transaction. Some transactions stall between
 * appending their event and committing, as they would on a paused machine. Others fail after appending their event.
 */
import type { Actor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import { UnitOfWork } from "@trailbook/core/port"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import type { Dice } from "../reliability/dice.ts"

/** An unvalidated JSON response. */
type Json = ReturnType<typeof JSON.parse>

export interface WriteTally {
  /** The IDs of resources whose creation was acknowledged. */
  readonly acknowledged: Array<string>
  /** How long each transaction stalled between its event and its commit. */
  readonly stalledMillis: Array<number>
  /** Transactions that failed after appending their event, or timed out while another transaction stalled. */
  failed: number
  /** Failures for any other reason. */
  readonly complaints: Array<string>
}

export interface Writer {
  readonly dice: Dice
  /** Whether some of this writer's transactions stall. */
  readonly isSleepy: boolean
}

type WriteEffect = Effect.Effect<void, unknown, Actor | Registry | UnitOfWork>

const run = (name: string, input: unknown): Effect.Effect<Json, unknown, Actor | Registry> =>
  Effect.flatMap(Registry, (registry) => registry.run(name, input))

const formatDay = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

/** Each writer has its own class, so that a stalled transaction does not lock other writers' places. */
const openClass = Effect.gen(function*() {
  const offering = yield* run("offerings.create", { name: "Browns Canyon", kind: "class", capacity: 10_000 })
  const { data: [session] } = yield* run("sessions.create", { offering_id: offering.id, starts_at: formatDay(3) })
  return { offering_id: offering.id, session_id: session.id }
})

/** Makes one random change and returns the IDs of the created resources. */
const change = (dice: Dice, place: Json): Effect.Effect<ReadonlyArray<string>, unknown, Actor | Registry> => {
  const guest = { email: `${dice.uuid()}@example.com`, name: "Guest" }
  const listId = ({ id }: Json): ReadonlyArray<string> => [id]
  const chance = dice.between(1, 100)
  if (chance <= 25) return Effect.map(run("bookings.create", { ...place, customer: guest }), listId)
  if (chance <= 50) return Effect.map(run("bookings.create", { ...place, customer: guest, hold_minutes: 30 }), listId)
  if (chance <= 70) return Effect.map(run("customers.upsert", guest), listId)
  if (chance <= 85) return Effect.as(run("org.update", { name: `Salida ${dice.uuid()}` }), [])
  const input = { offering_id: place.offering_id, starts_at: formatDay(dice.between(4, 90)), repeat_weeks: 3 }
  return Effect.map(run("sessions.create", input), ({ data }) => data.flatMap(listId))
}

/** Whether the failure is a lock timeout, which the storage reports as this error. */
const isUnavailable = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), (defect) => Predicate.isTagged(defect, "DatabaseUnavailable"))

/** A sleepy writer stalls in one out of this many transactions. */
const stallsOnceIn = 30

export const write = (
  { dice, isSleepy }: Writer,
  tally: WriteTally,
  isOver: () => boolean
): WriteEffect =>
  Effect.gen(function*() {
    const { run } = yield* UnitOfWork
    const place = yield* openClass
    for (let at = 1; !isOver(); at++) {
      const stalls = isSleepy && at % stallsOnceIn === 3
      const stall = stalls ? dice.between(2200, 3900) : 0
      const fails = !stalls && dice.percent(5)
      const work = change(dice, place).pipe(
        Effect.tap(() => stall === 0 ? Effect.void : Effect.sleep(stall)),
        Effect.tap(() => fails ? Effect.fail("no") : Effect.void)
      )
      const exit = yield* Effect.exit(run(work))
      if (Exit.isSuccess(exit)) tally.acknowledged.push(...exit.value)
      else if (fails || isUnavailable(exit.cause)) tally.failed++
      else tally.complaints.push(Cause.pretty(exit.cause))
      if (stalls && Exit.isSuccess(exit)) tally.stalledMillis.push(stall)
      yield* Effect.sleep(dice.between(5, 40))
    }
  })
