/**
 * @since 0.1.0
 */
import { type Errand, type ErrandKind, Outbox } from "@trailbook/core/port/Outbox"
import type { Storage } from "@trailbook/core/storage/Storage"
import { type Instant, make as instant, max } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert } from "vitest"
import { moment } from "../generator/moment.ts"
import { text } from "../generator/text.ts"
import { type Town, town } from "../generator/town.ts"
import { sameRows } from "./compare.ts"
import { forAll } from "./forAll.ts"
import { law } from "./Law.ts"
import { freshId, settle } from "./settle.ts"

const kinds = [
  "mail.held",
  "mail.confirmed",
  "mail.moved",
  "mail.cancelled",
  "refund"
] as const satisfies ReadonlyArray<ErrandKind>

interface Raw extends Pick<Errand, "kind" | "dueAt" | "attempts" | "lastError"> {
  readonly of: number
}

const raw: FastCheck.Arbitrary<Raw> = FastCheck.record({
  kind: FastCheck.constantFrom(...kinds),
  dueAt: moment,
  attempts: FastCheck.nat({ max: 30 }),
  lastError: FastCheck.option(text(200)),
  of: FastCheck.nat({ max: 4 })
})

interface Case {
  readonly town: Town
  readonly errands: ReadonlyArray<Raw>
  readonly now: Instant
}

const cases: FastCheck.Arbitrary<Case> = FastCheck.record({
  town: town(4),
  errands: FastCheck.array(raw, { maxLength: 12 }),
  now: moment
})

/** Adds errands about the bookings of two orgs, and takes away what is left when the case is over. */
const withErrands = (
  { errands, town }: Case,
  work: (errands: ReadonlyArray<Errand>) => Effect.Effect<void, never, Storage>
) =>
  Effect.gen(function*() {
    const outbox = yield* Outbox
    const bookings = [...(yield* settle(town)).bookings, ...(yield* settle(town)).bookings]
    const added = errands.flatMap(({ of, ...errand }) => {
      const booking = bookings[of * 2 % (bookings.length + 1)]
      return booking === undefined ? [] : [{ ...errand, id: freshId(), orgId: booking.orgId, bookingId: booking.id }]
    })
    yield* outbox.add(added)
    yield* work(added)
    yield* Effect.forEach(yield* outbox.due(max, 1000), outbox.done, { discard: true })
  })

const soonestFirst = (errands: ReadonlyArray<Errand>): void => {
  const dues = errands.map(({ dueAt }) => dueAt)
  assert.deepStrictEqual(dues, dues.toSorted((a, b) => a - b))
}

/**
 * @since 0.1.0
 * @category laws
 */
export const outboxLaws = [
  law(
    "outbox/due",
    "errands of all orgs are due from their moment on, the longest due first, up to a limit",
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withErrands(given, (errands) =>
          Effect.gen(function*() {
            const { now } = given
            const outbox = yield* Outbox
            const due = yield* outbox.due(now, 1000)
            sameRows(due, errands.filter(({ dueAt }) => dueAt <= now))
            soonestFirst(due)
            for (const limit of [1, 2, 5]) {
              const some = yield* outbox.due(now, limit)
              assert.strictEqual(some.length, Math.min(limit, due.length))
              assert.deepStrictEqual(some.map(({ dueAt }) => dueAt), due.slice(0, limit).map(({ dueAt }) => dueAt))
            }
          })))
  ),

  law(
    "outbox/done",
    "an errand that is done is gone, the others stay, and doing it twice is nothing",
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withErrands(given, (errands) =>
          Effect.gen(function*() {
            const outbox = yield* Outbox
            const [first, ...others] = errands
            if (first === undefined) return
            yield* outbox.done(first)
            yield* outbox.done(first)
            sameRows(yield* outbox.due(max, 1000), others)
          })))
  ),

  law(
    "outbox/postpone",
    "an errand that is postponed comes back at its new moment with what went wrong",
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withErrands(given, (errands) =>
          Effect.gen(function*() {
            const outbox = yield* Outbox
            const [first, ...others] = errands
            if (first === undefined) return
            const later: Errand = {
              ...first,
              dueAt: instant(first.dueAt + 3_600_000),
              attempts: first.attempts + 1,
              lastError: "no answer"
            }
            yield* outbox.postpone(later)
            const due = yield* outbox.due(max, 1000)
            sameRows(due, [later, ...others])
            soonestFirst(due)
          })))
  ),

  law(
    "outbox/gone",
    "an errand that somebody else has done is not brought back by postponing it",
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withErrands(given, (errands) =>
          Effect.gen(function*() {
            const outbox = yield* Outbox
            const [first, ...others] = errands
            if (first === undefined) return
            yield* outbox.done(first)
            yield* outbox.postpone({ ...first, attempts: first.attempts + 1 })
            sameRows(yield* outbox.due(max, 1000), others)
          })))
  )
]
