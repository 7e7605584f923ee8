import { type ClaimedErrand, type Errand, type ErrandKind, Outbox } from "@trailbook/core/port/Outbox"
import type { Storage } from "@trailbook/core/storage/Storage"
import { type Instant, make as instant, max } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Struct from "effect/Struct"
import { assert } from "vitest"
import { moment } from "../generator/moment.ts"
import { text } from "../generator/text.ts"
import { type Town, town } from "../generator/town.ts"
import { sameRows } from "./compare.ts"
import { claimAll, errandKinds, hourMs, unclaimed } from "./errands.ts"
import { forAll } from "./forAll.ts"
import { type Law, law } from "./Law.ts"
import { freshId, settle } from "./settle.ts"

interface Raw extends Pick<Errand, "kind" | "dueAt" | "attempts" | "lastError"> {
  readonly of: number
}

const raw: FastCheck.Arbitrary<Raw> = FastCheck.record({
  kind: FastCheck.constantFrom(...errandKinds),
  dueAt: moment,
  attempts: FastCheck.nat({ max: 30 }),
  lastError: FastCheck.option(text(200)),
  of: FastCheck.nat({ max: 4 })
})

interface Case {
  readonly town: Town
  readonly errands: ReadonlyArray<Raw>
  readonly now: Instant
  readonly kinds: ReadonlyArray<ErrandKind>
}

const cases: FastCheck.Arbitrary<Case> = FastCheck.record({
  town: town(4),
  errands: FastCheck.array(raw, { maxLength: 12 }),
  now: moment,
  kinds: FastCheck.subarray([...errandKinds])
})

/** Adds errands about the bookings of two orgs, and takes away what is left when the case is over. */
const withErrands = (
  { errands, town }: Pick<Case, "errands" | "town">,
  work: (errands: ReadonlyArray<Errand>, outbox: Outbox["Type"]) => Effect.Effect<void, never, Storage>
) =>
  Effect.gen(function*() {
    const outbox = yield* Outbox
    const bookings = [...(yield* settle(town)).bookings, ...(yield* settle(town)).bookings]
    const added = errands.flatMap(({ of, ...errand }) => {
      const booking = bookings[of * 2 % (bookings.length + 1)]
      return booking === undefined ? [] : [{ ...errand, id: freshId(), orgId: booking.orgId, bookingId: booking.id }]
    })
    yield* outbox.add(added)
    yield* work(added, outbox)
    yield* outbox.done(yield* claimAll)
    // Nobody in a law keeps what was claimed.
    assert.deepStrictEqual(yield* unclaimed, [])
  })

/** A law about the first of some errands, which is claimed, and the others, which nobody has claimed. */
const aboutOneClaimed = (
  key: Law["key"],
  says: string,
  work: (
    claimed: ClaimedErrand,
    others: ReadonlyArray<Errand>,
    outbox: Outbox["Type"]
  ) => Effect.Effect<void, never, Storage>
): Law =>
  law(
    key,
    says,
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withErrands(given, (errands, outbox) =>
          Effect.gen(function*() {
            const [claimed, ...others] = yield* claimAll
            if (claimed === undefined) return assert.deepStrictEqual(errands, [])
            yield* outbox.release(others)
            yield* work(claimed, others.map(asAdded), outbox)
          })))
  )

const asAdded = (claimed: ClaimedErrand): Errand => Struct.omit(claimed, "fence")

const longestDueFirst = (errands: ReadonlyArray<Errand>): void => {
  const dues = errands.map(({ dueAt }) => dueAt)
  assert.deepStrictEqual(dues, dues.toSorted((a, b) => a - b))
}

/** Ends a lease at once, without waiting for a clock. */
const overAtOnce = { kinds: errandKinds, now: max, limit: 1000, leaseMs: -1 }

/**
 * @category laws
 */
export const outboxLaws = [
  law(
    "outbox/due",
    "errands of all orgs are due from their moment on, by their kinds, the longest due first, up to a limit",
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withErrands(given, (errands, outbox) =>
          Effect.gen(function*() {
            const { kinds, now } = given
            const expected = errands.filter(({ dueAt, kind }) => dueAt <= now && kinds.includes(kind))
            const due = yield* outbox.claim({ kinds, now, limit: 1000, leaseMs: hourMs })
            sameRows(due.map(asAdded), expected)
            longestDueFirst(due)
            yield* outbox.release(due)
            const claims: Array<ClaimedErrand> = []
            for (const limit of [1, 2, 5]) {
              const some = yield* outbox.claim({ kinds, now, limit, leaseMs: hourMs })
              assert.strictEqual(some.length, Math.min(limit, due.length - claims.length))
              claims.push(...some)
            }
            // Who claims next gets what is due next.
            assert.deepStrictEqual(
              claims.map(({ dueAt }) => dueAt),
              due.slice(0, claims.length).map(({ dueAt }) => dueAt)
            )
            yield* outbox.release(claims)
          })))
  ),

  law(
    "outbox/claimed-once",
    "of some who claim at once, each errand is given to one",
    (conditions) =>
      forAll(
        conditions,
        FastCheck.tuple(cases, FastCheck.integer({ min: 1, max: 4 })),
        ([given, limit]) =>
          withErrands(given, (errands, outbox) =>
            Effect.gen(function*() {
              const claim = outbox.claim({ kinds: errandKinds, now: max, limit, leaseMs: hourMs })
              // A claimer may be told of nothing while all that it saw is being given to others.
              const until = (left: number): Effect.Effect<ReadonlyArray<ClaimedErrand>> =>
                Effect.flatMap(claim, (some) =>
                  left === 0 ? Effect.succeed(some) : Effect.map(until(left - 1), (more) => [...some, ...more]))
              const claims = yield* Effect.all([until(4), until(4), until(4), until(4)], { concurrency: "unbounded" })
              sameRows(claims.flat().map(asAdded), errands)
              yield* outbox.release(claims.flat())
            }))
      )
  ),

  aboutOneClaimed(
    "outbox/lease",
    "an errand is nobody else's while a lease lasts, and anybody's when it has ended",
    (claimed, others, outbox) =>
      Effect.gen(function*() {
        sameRows(yield* unclaimed, others)
        yield* outbox.release([claimed])
        const ended = yield* outbox.claim(overAtOnce)
        sameRows(ended.map(asAdded), [asAdded(claimed), ...others])
        const anew = yield* outbox.claim(overAtOnce)
        sameRows(anew.map(asAdded), ended.map(asAdded))
        const fences = new Map(ended.map(({ fence, id }) => [id, fence]))
        assert.isTrue(anew.every(({ fence, id }) => fence !== fences.get(id)), "two claims have one fence")
        // A lease that ended is good as long as nobody else has claimed.
        const [late] = anew
        if (late === undefined) return
        yield* outbox.done([late])
        sameRows(yield* unclaimed, anew.slice(1).map(asAdded))
      })
  ),

  aboutOneClaimed(
    "outbox/done",
    "an errand that is done is gone, the others stay, and doing it twice is nothing",
    (claimed, others, outbox) =>
      Effect.gen(function*() {
        yield* outbox.done([])
        sameRows(yield* unclaimed, others)
        yield* outbox.done([claimed, claimed])
        yield* outbox.done([claimed])
        sameRows(yield* unclaimed, others)
      })
  ),

  law(
    "outbox/done-together",
    "of errands that are said to be done together, those go whose claims are good",
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withErrands(given, (_, outbox) =>
          Effect.gen(function*() {
            // Good as long as nobody else has claimed, and hidden from nobody.
            const claims = yield* outbox.claim(overAtOnce)
            const back = claims.filter((_, at) => at % 3 === 1)
            yield* outbox.release(back)
            const limit = Math.floor(claims.length / 3)
            const anew = yield* outbox.claim({ kinds: errandKinds, now: max, limit, leaseMs: hourMs })
            const kept = new Set([...back, ...anew].map(({ id }) => id))
            yield* outbox.done(claims)
            yield* outbox.release(anew)
            sameRows(yield* unclaimed, claims.filter(({ id }) => kept.has(id)).map(asAdded))
          })))
  ),

  aboutOneClaimed(
    "outbox/postpone",
    "an errand that is postponed comes back at its new moment with what went wrong",
    (claimed, others, outbox) =>
      Effect.gen(function*() {
        const later = {
          ...claimed,
          dueAt: instant(claimed.dueAt + hourMs),
          attempts: claimed.attempts + 1,
          lastError: "no answer"
        }
        yield* outbox.postpone(later)
        const before = yield* outbox.claim({
          kinds: errandKinds,
          now: instant(later.dueAt - 1),
          limit: 1000,
          leaseMs: hourMs
        })
        assert.notInclude(before.map(({ id }) => id), claimed.id)
        yield* outbox.release(before)
        const all = yield* claimAll
        sameRows(all.map(asAdded), [asAdded(later), ...others])
        longestDueFirst(all)
        yield* outbox.release(all)
      })
  ),

  aboutOneClaimed(
    "outbox/release",
    "an errand that is released is as it was, for the next who claims",
    (claimed, others, outbox) =>
      Effect.gen(function*() {
        yield* outbox.release([claimed, claimed])
        sameRows(yield* unclaimed, [asAdded(claimed), ...others])
      })
  ),

  aboutOneClaimed(
    "outbox/gone",
    "an errand that is done is not brought back, by postponing it or by releasing it",
    (claimed, others, outbox) =>
      Effect.gen(function*() {
        yield* outbox.done([claimed])
        yield* outbox.postpone({ ...claimed, attempts: claimed.attempts + 1 })
        yield* outbox.release([claimed])
        sameRows(yield* unclaimed, others)
      })
  ),

  aboutOneClaimed(
    "outbox/void",
    "a claim changes nothing once its errand was put back or somebody claimed it anew",
    (first, others, outbox) =>
      Effect.gen(function*() {
        const changedBy = (claim: ClaimedErrand) =>
          Effect.all([
            outbox.done([claim]),
            outbox.postpone({ ...claim, dueAt: instant(claim.dueAt + hourMs), lastError: "void" }),
            outbox.release([claim])
          ])
        yield* outbox.release([first])
        yield* changedBy(first)
        sameRows(yield* unclaimed, [asAdded(first), ...others])
        const anew = yield* claimAll
        yield* changedBy(first)
        // The new claim still keeps others away, and is good.
        assert.deepStrictEqual(yield* claimAll, [])
        yield* outbox.release(anew)
        sameRows(yield* unclaimed, [asAdded(first), ...others])
      })
  )
]
