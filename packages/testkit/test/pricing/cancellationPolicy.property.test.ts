import { type Booking, bookingDecider, computeCancellationRefund } from "@trailbook/core/booking"
import * as Decider from "@trailbook/core/Decider"
import { computeKeptCents, findCancellationPolicyError, unlimitedKeptCents } from "@trailbook/core/pricing"
import * as Instant from "@trailbook/core/time/Instant"
import { booking } from "@trailbook/testkit/arbitraries"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { cancellationPolicy } from "../../src/generator/pricing.ts"

const hour = 3_600_000
const total = FastCheck.oneof(FastCheck.nat(1_000_000), FastCheck.constantFrom(0, 1, 9500, Number.MAX_SAFE_INTEGER))
const facts = FastCheck.record({
  policy: cancellationPolicy,
  min_keep_cents: FastCheck.constantFrom(0, 0, 500, 9500),
  totalCents: total,
  quantity: FastCheck.integer({ min: 1, max: 9 }),
  /** The milliseconds between the cancellation and the start, often within 1 ms of a step's limit. */
  ahead: FastCheck.oneof(
    FastCheck.integer({ min: -100, max: 9000 }).map((hours) => hours * hour),
    FastCheck.tuple(FastCheck.constantFrom(0, 1, 24, 48, 168), FastCheck.constantFrom(-1, 0, 1)).map(
      ([hours, extraMs]) => hours * hour + extraMs
    )
  )
})
const now = Instant.make(Date.UTC(2027, 4, 1))
const keepAt = (
  { ahead, min_keep_cents, policy, quantity, totalCents }: typeof facts extends FastCheck.Arbitrary<infer A> ? A : never
) =>
  computeKeptCents(
    { cancellationPolicy: { ...policy, min_keep_cents }, quantity, totalCents, startsAt: Instant.make(now + ahead) },
    "policy",
    now
  )

describe("computeKeep", () => {
  it("keeps the amount of the first step that applies", () => {
    FastCheck.assert(
      FastCheck.property(facts, (fact) => {
        const { ahead, min_keep_cents: least, policy, quantity, totalCents } = fact
        // A second implementation with big integers. It uses the applicable step with the most hours.
        const fitting = policy.steps.filter(({ until_hours }) => until_hours * hour <= ahead)
        const step = fitting.toSorted((a, b) => b.until_hours - a.until_hours)[0]
        const policyCents = step === undefined
          ? BigInt(unlimitedKeptCents)
          : step.keep_cents_per_place !== undefined
          ? BigInt(step.keep_cents_per_place) * BigInt(quantity)
          : (BigInt(totalCents) * BigInt(step.keep_bps ?? 0) * 2n + 10_000n) / 20_000n
        const keptCents = BigInt(keepAt(fact))
        assert.strictEqual(keptCents, step !== undefined && policyCents < BigInt(least) ? BigInt(least) : policyCents)
      }),
      { numRuns: 500 }
    )
  })

  it("without a policy, keeps everything only after the start", () => {
    FastCheck.assert(
      FastCheck.property(facts, FastCheck.boolean(), ({ ahead, policy, ...terms }, isFull) => {
        const cancellationPolicy = isFull ? { ...policy, min_keep_cents: 9500 } : null
        const startsAt = Instant.make(now + ahead)
        const keptCents = computeKeptCents({ ...terms, cancellationPolicy, startsAt }, isFull ? "full" : "policy", now)
        assert.strictEqual(keptCents, ahead > 0 ? 0 : unlimitedKeptCents)
      })
    )
  })
})

const place = (startsAt: number) => ({
  startsAt: Instant.make(startsAt),
  endsAt: Instant.make(startsAt + hour),
  sessionId: null
})

const withPayment = (base: Booking, { min_keep_cents, policy, totalCents }: Parameters<typeof keepAt>[0]): Booking => ({
  ...base,
  status: "confirmed",
  confirmedAt: base.createdAt,
  keepCents: null,
  totalCents,
  onlineCents: null,
  deskCents: 0,
  cancellationPolicy: { ...policy, min_keep_cents },
  paidAt: base.createdAt,
  paymentIntentId: "pi_1",
  refund: null,
  dispute: null
})

describe("a cancellation", () => {
  it("refunds the paid amount minus the kept amount", () => {
    FastCheck.assert(
      FastCheck.property(booking, facts, FastCheck.nat(20_000), (unpaidBooking, of, desk) => {
        const before = { ...withPayment(unpaidBooking, of), ...place(now + of.ahead), deskCents: desk }
        const { state } = Either.getOrThrow(
          Decider.run(bookingDecider)(before, { _tag: "Cancel", now, refund: "policy" })
        )
        const keptCents = Math.min(state.keepCents ?? 0, before.totalCents + desk)
        const { cents, onlineCents } = computeCancellationRefund(before, state.keepCents ?? 0)
        assert.strictEqual(cents, before.totalCents + desk - keptCents)
        assert.strictEqual(state.refund?.cents ?? 0, onlineCents)
        assert.strictEqual(onlineCents, Math.min(before.totalCents, cents))
      })
    )
  })

  it("never becomes cheaper after the guest moves the booking", () => {
    FastCheck.assert(
      FastCheck.property(booking, facts, FastCheck.integer({ min: 1, max: 9000 }), (unpaidBooking, of, hours) => {
        FastCheck.pre(of.ahead > 0)
        const before = { ...withPayment(unpaidBooking, of), ...place(now + of.ahead) }
        const to = place(now + hours * hour + 1)
        const move = (byGuest: boolean) =>
          Either.getOrThrow(
            Decider.run(bookingDecider)(before, { _tag: "Move", now, to, target: Either.void, byGuest })
          ).state
        const keepOf = (one: Booking) => Math.min(computeKeptCents(one, "policy", now), one.totalCents)
        assert.isAtLeast(keepOf(move(true)), keepOf(before))
        const fresh = keepOf({ ...before, ...to })
        assert.strictEqual(keepOf(move(false)), fresh)
        assert.strictEqual(keepOf(move(true)), Math.max(fresh, keepOf(before)))
      })
    )
  })
})

describe("wrongPolicy", () => {
  it("accepts valid steps, and names the first invalid step", () => {
    FastCheck.assert(
      FastCheck.property(cancellationPolicy, (policy) => {
        assert.isUndefined(findCancellationPolicyError(policy))
        const [first] = policy.steps
        if (first === undefined) return
        assert.include(
          findCancellationPolicyError({ steps: [...policy.steps, first] }),
          `steps.${policy.steps.length}.until_hours`
        )
        assert.include(
          findCancellationPolicyError({ steps: [{ ...first, keep_bps: 1, keep_cents_per_place: 1 }] }),
          "steps.0.keep_bps"
        )
        assert.include(findCancellationPolicyError({ steps: [{ until_hours: 1 }] }), "steps.0.keep_bps")
      })
    )
  })
})
