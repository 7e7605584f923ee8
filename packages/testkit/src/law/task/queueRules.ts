/** The rules that every queue of claimable work follows. Leases expire immediately, so no rule waits for a clock. */
import type { Storage } from "@trailbook/core/storage"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Struct from "effect/Struct"
import { runConcurrently } from "../Law.ts"
import { assertAscending, assertSameRows } from "../rowAssertions.ts"
import { createEmptyOrg } from "../seedOrg.ts"
import { hourMs } from "./tasks.ts"

type Work<A = unknown> = Effect.Effect<A, never, Storage>

interface Fenced {
  readonly fence: number
}

/** A queue in which workers claim items with a lease. An org has at most one claimable item. */
export interface Queue<Claim extends Fenced> {
  /** Adds an item that can be claimed to an org. */
  readonly add: (orgId: string) => Work
  /** Claims items, including the org's item if it can be claimed. */
  readonly claim: (leaseMs: number, orgId: string) => Work<ReadonlyArray<Claim>>
  readonly getOrgId: (claim: Claim) => string
  readonly release: (claim: Claim) => Work
  /** The operations that return whether the claim is valid. */
  readonly uses: { readonly [name: string]: (claim: Claim) => Work<boolean> }
  /** The operations, in addition to `release`, that ignore an invalid claim. */
  readonly silentUses?: { readonly [name: string]: (claim: Claim) => Work }
  /** The ways in which a claim becomes invalid, in addition to a release or another claim. */
  readonly invalidations?: { readonly [cause: string]: (claim: Claim) => Work }
  /** Reads the org's stored items without claiming them. */
  readonly read: (orgId: string) => Work
  /** Returns the fields of a claim that are the same in every org. */
  readonly describe: (claim: Claim) => unknown
}

const addItem = <Claim extends Fenced>({ add, claim, getOrgId }: Queue<Claim>) =>
  Effect.gen(function*() {
    const { id: orgId } = yield* createEmptyOrg
    yield* add(orgId)
    const tryClaim = (leaseMs: number) =>
      Effect.map(claim(leaseMs, orgId), (claims) => claims.find((one) => getOrgId(one) === orgId))
    const claimOrFail = (leaseMs: number) =>
      Effect.map(tryClaim(leaseMs), (result) => result ?? assert.fail("the item could not be claimed"))
    return { orgId, tryClaim, claimOrFail }
  })

/** Checks that a claim reserves its item until the lease expires, and then stays valid until the item is claimed again. */
export const checkLease = <Claim extends Fenced>(queue: Queue<Claim>): Work<void> =>
  Effect.gen(function*() {
    for (const [name, use] of Object.entries(queue.uses)) {
      const { claimOrFail, tryClaim } = yield* addItem(queue)
      const first = yield* claimOrFail(hourMs)
      assert.isUndefined(yield* tryClaim(hourMs), "a claimed item was claimed")
      yield* queue.release(first)
      const [second, third] = [yield* claimOrFail(-1), yield* claimOrFail(-1)]
      assert.strictEqual(new Set([first.fence, second.fence, third.fence]).size, 3, "two claims have the same fence")
      assert.isTrue(yield* use(third), `${name} after the lease expired`)
    }
  })

/** Checks that an invalid claim is rejected and changes nothing, for each cause and for each use of the claim. */
export const checkInvalidClaims = <Claim extends Fenced>(queue: Queue<Claim>): Work<void> =>
  Effect.gen(function*() {
    const ignoringUses = Record.map({ ...queue.silentUses, release: queue.release }, (use) => (claim: Claim) =>
      Effect.as(use(claim), false))
    const uses = Object.entries({ ...queue.uses, ...ignoringUses })
    /** The lease has already expired. */
    const expire = (): Work =>
      Effect.void
    const invalidations = Object.entries({ ...queue.invalidations, released: queue.release })
    const causes = [
      { cause: "claimed again", leaseMs: -1, invalidate: expire, isReclaimed: true },
      ...invalidations.flatMap(([cause, invalidate]) => [
        { cause, leaseMs: hourMs, invalidate, isReclaimed: false },
        { cause: `${cause} and claimed again`, leaseMs: hourMs, invalidate, isReclaimed: true }
      ])
    ]
    for (const { cause, invalidate, isReclaimed, leaseMs } of causes) {
      const useInvalidClaim = (name: string, use: (claim: Claim) => Work<boolean>) =>
        Effect.gen(function*() {
          const { claimOrFail, orgId, tryClaim } = yield* addItem(queue)
          const claim = yield* claimOrFail(leaseMs)
          yield* invalidate(claim)
          if (isReclaimed) yield* tryClaim(hourMs)
          const before = yield* queue.read(orgId)
          assert.isFalse(yield* use(claim), `${name}, ${cause}`)
          assert.deepStrictEqual(yield* queue.read(orgId), before, `${name}, ${cause}`)
          const next = yield* tryClaim(hourMs)
          return next && queue.describe(next)
        })
      const expected = yield* useInvalidClaim("unused", () => Effect.succeed(false))
      for (const [name, use] of uses) {
        assert.deepStrictEqual(yield* useInvalidClaim(name, use), expected, `${name}, ${cause}`)
      }
    }
  })

/** Claims all due rows, and checks that the most overdue rows come first. */
export const claimDue = <Row extends object, R>(
  claim: Effect.Effect<ReadonlyArray<Row & Fenced>, never, R>,
  dueRows: ReadonlyArray<Row>,
  getDueTime: (row: Row) => number | null
) =>
  Effect.tap(claim, (claims) =>
    Effect.sync(() => {
      assertSameRows<unknown>(claims.map((row) => Struct.omit(row, "fence")), dueRows)
      assertAscending(claims.map((row) => getDueTime(row) ?? 0))
    }))

/**
 * Claims work in four concurrent workers. Each worker repeats its claim, because a claim can return nothing while other
 * workers claim the rows that it has read.
 */
export const claimConcurrently = <Claim, R>(
  claim: Effect.Effect<ReadonlyArray<Claim>, never, R>,
  repetitions: number
): Effect.Effect<ReadonlyArray<Claim>, never, R> =>
  Effect.map(
    runConcurrently(Array.from({ length: 4 }, () => Effect.replicateEffect(claim, repetitions))),
    (claims) => claims.flat(2)
  )
