import * as Decider from "@trailbook/core/Decider"
import {
  computeCheckoutExpiry,
  deriveRefundId,
  getRefundIdempotencyKey,
  isRefundOwed,
  type Payment,
  type Refund,
  sumRefundedCents
} from "@trailbook/core/payment/Payment"
import { type PaymentCommand, paymentDecider } from "@trailbook/core/payment/PaymentDecider"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { moment, openingPayment, payment } from "./payments.ts"

const tagged = <Tag extends PaymentCommand["_tag"]>(tag: Tag) => FastCheck.constant(tag)

const refundId = FastCheck.integer({ min: 1, max: 3 }).map((number) => deriveRefundId("payment-1", number))
const providerId = FastCheck.constantFrom("re_1", "re_2")

const command: FastCheck.Arbitrary<PaymentCommand> = FastCheck.oneof(
  FastCheck.record({
    _tag: tagged("Opened"),
    session: FastCheck.constantFrom("cs_1", "cs_2"),
    url: FastCheck.constant("https://pay.example/cs")
  }),
  FastCheck.record({ _tag: tagged("Abandon") }),
  FastCheck.record({ _tag: tagged("Expire") }),
  FastCheck.record({
    _tag: tagged("Capture"),
    now: moment,
    intent: FastCheck.constantFrom("pi_1", "pi_2"),
    keptCents: FastCheck.constantFrom(0, 9000, 17_000)
  }),
  FastCheck.record({
    _tag: tagged("Return"),
    now: moment,
    cents: FastCheck.nat(20_000),
    reason: FastCheck.constantFrom("request" as const, "cancellation" as const),
    count: FastCheck.nat(3)
  }),
  FastCheck.record({ _tag: tagged("Returned"), now: moment, id: refundId, providerId }),
  FastCheck.record({ _tag: tagged("Accept"), now: moment, id: refundId, providerId, refusals: FastCheck.nat(2) }),
  FastCheck.record({
    _tag: tagged("Refuse"),
    now: moment,
    id: refundId,
    error: FastCheck.constant("closed account"),
    refusals: FastCheck.constantFrom(null, 0, 1, 2)
  }),
  FastCheck.record({
    _tag: tagged("Fail"),
    now: moment,
    id: refundId,
    error: FastCheck.constant("closed account"),
    providerId
  }),
  FastCheck.record({
    _tag: tagged("Find"),
    now: moment,
    found: FastCheck.uniqueArray(
      FastCheck.record({
        id: providerId,
        refundId: FastCheck.option(refundId),
        status: FastCheck.constantFrom("pending" as const, "done" as const, "failed" as const),
        cents: FastCheck.integer({ min: 1, max: 9000 }),
        reason: FastCheck.constant("")
      }),
      { selector: ({ id }) => id, maxLength: 2 }
    )
  }),
  FastCheck.record({
    _tag: tagged("Dispute"),
    now: moment,
    status: FastCheck.constantFrom("open" as const, "won" as const)
  }),
  FastCheck.record({
    _tag: tagged("Mismatch"),
    found: FastCheck.record({
      at: moment,
      intent: FastCheck.constantFrom("pi_1", "pi_2"),
      cents: FastCheck.constantFrom(null, 1),
      currency: FastCheck.constantFrom(null, "eur")
    })
  })
)

const run = (payment: Payment, command: PaymentCommand) =>
  Either.getOrThrow(Decider.run(paymentDecider)(payment, command))

const after = (payment: Payment, commands: ReadonlyArray<PaymentCommand>): Payment =>
  commands.reduce((state, command) => run(state, command).state, payment)

const holds = (check: (payment: Payment, command: PaymentCommand) => void) =>
  FastCheck.assert(FastCheck.property(payment, command, check), { numRuns: 1500 })

const scripts = (check: (commands: ReadonlyArray<PaymentCommand>) => void) =>
  FastCheck.assert(FastCheck.property(FastCheck.array(command, { maxLength: 12 }), check), { numRuns: 1500 })

describe("a command", () => {
  it("has no effect when it is repeated", () => {
    holds((payment, command) => {
      const once = run(payment, command)
      const twice = run(once.state, command)
      expect(twice).toEqual({ state: once.state, events: [] })
    })
  })

  it("emits events that reproduce the state when they are replayed", () => {
    scripts((commands) => {
      let state = openingPayment()
      const events = commands.flatMap((command) => {
        const decision = run(state, command)
        state = decision.state
        return decision.events
      })
      expect(events.reduce(paymentDecider.evolve, openingPayment())).toEqual(state)
    })
  })

  it("never changes the data that was sent to the provider", () => {
    const requestOf = ({ attempt, bookingId, cents, connection, currency, description, expiresAt, id }: Payment) => ({
      attempt,
      bookingId,
      cents,
      connection,
      currency,
      description,
      expiresAt,
      id
    })
    holds((payment, command) => {
      expect(requestOf(run(payment, command).state)).toEqual(requestOf(payment))
    })
  })
})

describe("received money", () => {
  it("is recorded in any state, and never removed", () => {
    scripts((commands) => {
      const first = commands.find((command) => command._tag === "Capture")
      const state = after(openingPayment(), commands)
      expect(state.status === "paid").toBe(first !== undefined)
      if (state.status === "paid" && first !== undefined) expect(state.intent).toBe(first.intent)
    })
  })
})

const makePaid = (keptCents = 0): Payment =>
  after(openingPayment(), [{ _tag: "Capture", now: openingPayment().madeAt, intent: "pi_1", keptCents }])

const refundsOf = (payment: Payment): ReadonlyArray<Refund> => payment.status === "paid" ? payment.refunds : []

describe("a refund", () => {
  it("is never removed, and never changes after it fails", () => {
    scripts((commands) => {
      let state = makePaid(9000)
      for (const command of commands) {
        const next = run(state, command).state
        for (const [index, { cents, id, reason, status }] of refundsOf(state).entries()) {
          const one = refundsOf(next)[index]
          expect([one?.id, one?.cents, one?.reason]).toEqual([id, cents, reason])
          if (status === "failed") expect(one?.status).toBe("failed")
          if (status === "done") expect(["done", "failed"]).toContain(one?.status)
        }
        expect(new Set(refundsOf(next).map(({ id }) => id)).size).toBe(refundsOf(next).length)
        state = next
      }
    })
  })

  it("never exceeds the payment, unless it was made at the provider", () => {
    scripts((commands) => {
      const refunds = refundsOf(after(makePaid(9000), commands)).filter(({ reason }) => reason !== "provider")
      expect(sumRefundedCents({ refunds })).toBeLessThanOrEqual(17_000)
    })
  })

  it("gets a new idempotency key only after a definite refusal", () => {
    scripts((commands) => {
      let state = makePaid()
      for (const command of commands) {
        const { state: next } = run(state, command)
        for (const [index, before] of refundsOf(state).entries()) {
          const now = refundsOf(next)[index] ?? before
          const isDefinite = (command._tag === "Refuse" && command.refusals !== null && command.id === now.id) ||
            command._tag === "Fail" || command._tag === "Find"
          if (!isDefinite) expect(getRefundIdempotencyKey(next, now)).toBe(getRefundIdempotencyKey(state, before))
          expect(getRefundIdempotencyKey(next, now) === getRefundIdempotencyKey(state, before)).toBe(
            now.refusals === before.refusals
          )
        }
        state = next
      }
    })
  })

  it("uses the payment's idempotency key if an earlier version requested it", () => {
    const { id } = openingPayment()
    expect(getRefundIdempotencyKey({ id }, { id: deriveRefundId(id, 0), refusals: 0 })).toBe(id)
    expect(getRefundIdempotencyKey({ id }, { id: deriveRefundId(id, 0), refusals: 1 })).toBe(`${id}:2`)
    expect(getRefundIdempotencyKey({ id }, { id: deriveRefundId(id, 1), refusals: 0 })).toBe(deriveRefundId(id, 1))
  })

  it("keeps its idempotency key after a late refusal of an earlier request", () => {
    const refuse = {
      _tag: "Refuse",
      now: openingPayment().madeAt,
      id: deriveRefundId("payment-1", 1),
      error: "no funds",
      refusals: 0
    } as const
    expect(refundsOf(after(makePaid(), [refuse, refuse, refuse]))).toMatchObject([{ refusals: 1, status: "refused" }])
  })

  it("is owed until a dispute is lost", () => {
    const dispute = (status: "open" | "won" | "lost") =>
      ({ _tag: "Dispute", now: openingPayment().madeAt, status }) as const
    const isOwedAfter = (...commands: ReadonlyArray<PaymentCommand>) =>
      refundsOf(after(makePaid(), commands)).some(isRefundOwed)
    expect(isOwedAfter(dispute("open"))).toBe(true)
    expect(isOwedAfter(dispute("open"), dispute("won"))).toBe(true)
    expect(isOwedAfter(dispute("open"), dispute("lost"))).toBe(false)
    // A dispute decision is final. A late notification that the dispute was opened does not reopen it.
    expect(after(makePaid(), [dispute("won"), dispute("open"), dispute("lost")])).toMatchObject({
      dispute: { status: "won" }
    })
  })

  it("is replaced if it fails after completion, unless staff requested it", () => {
    for (const reason of ["request", "cancellation"] as const) {
      const now = openingPayment().madeAt
      const id = deriveRefundId("payment-1", 1)
      const state = after(makePaid(17_000), [
        { _tag: "Return", now, cents: 5000, reason, count: 0 },
        { _tag: "Returned", now, id, providerId: "re_1" },
        { _tag: "Fail", now, id, providerId: "re_1", error: "closed account" }
      ])
      expect(refundsOf(state).map(({ cents, status }) => [status, cents])).toEqual(
        reason === "request" ? [["failed", 5000]] : [["failed", 5000], ["due", 5000]]
      )
    }
  })
})

type Step = (world: RefundWorld) => void

/** A payment, and a provider that honors idempotency keys and never refunds more than was paid. */
class RefundWorld {
  payment = makePaid(17_000)
  readonly made: Array<{ id: string; refundId: string | null; status: "done" | "failed"; cents: number }> = []
  readonly #answers = new Map<string, string | null>()

  apply(command: PaymentCommand): void {
    this.payment = run(this.payment, command).state
  }

  send(cents: number, refundId: string | null): string | null {
    const rest = this.made.reduce((restCents, one) => one.status === "done" ? restCents - one.cents : restCents, 17_000)
    if (cents > rest) return null
    const id = `re_${this.made.length}`
    this.made.push({ id, refundId, status: "done", cents })
    return id
  }

  attempt(refund: Refund, isLost: boolean): void {
    const { id, refusals } = refund
    const key = getRefundIdempotencyKey(this.payment, refund)
    const providerId = this.#answers.get(key) ?? this.send(refund.cents, id)
    this.#answers.set(key, providerId)
    const { madeAt: now } = this.payment
    if (isLost) return
    if (providerId === null) this.apply({ _tag: "Refuse", now, id, error: "too much", refusals })
    else this.apply({ _tag: "Returned", now, id, providerId })
  }

  work(isLost: boolean): void {
    for (const refund of refundsOf(this.payment).filter(isRefundOwed)) this.attempt(refund, isLost)
  }

  look(): void {
    const refunds = this.made.map((one) => ({ ...one, reason: "" }))
    this.apply({ _tag: "Find", now: this.payment.madeAt, found: refunds })
  }
}

const cents = FastCheck.constantFrom(1000, 5000, 7000, 17_000)

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.tuple(cents, FastCheck.constantFrom("request" as const, "cancellation" as const)).map(
    ([cents, reason]): Step => (world) => {
      const count = refundsOf(world.payment).length
      world.apply({ _tag: "Return", now: world.payment.madeAt, cents, reason, count })
    }
  ),
  FastCheck.boolean().map((isLost): Step => (world) => world.work(isLost)),
  cents.map((cents): Step => (world) => void world.send(cents, null)),
  FastCheck.nat(3).map((at): Step => (world) => {
    const refund = world.made[at]
    if (refund !== undefined) refund.status = "failed"
  }),
  FastCheck.constant<Step>((world) => world.look())
)

describe("a payment's refunds", () => {
  const differs = (script: ReadonlyArray<Step>, looks: boolean): boolean => {
    const world = new RefundWorld()
    for (const one of script) one(world)
    for (let round = 0; round < 4; round++) {
      if (looks) world.look()
      world.work(false)
    }
    const refunds = refundsOf(world.payment)
    const sums = (status: "done" | "failed") =>
      world.made.filter((one) => one.status === status).map(({ cents, id }) => {
        const entries = refunds.filter((one) => one.providerId === id && one.status === status)
        return entries.reduce((restCents, one) => restCents - one.cents, cents)
      })
    const { payment } = world
    return refunds.some(isRefundOwed) || sums("done").some((restCents) => restCents !== 0) ||
      payment.status !== "paid" || sumRefundedCents(payment) > 17_000 ||
      sumRefundedCents(payment) !==
        refunds.filter(({ status }) => status === "done").reduce((sum, { cents }) => sum + cents, 0)
  }
  const script = FastCheck.array(step, { minLength: 2, maxLength: 12, size: "max" })

  it("match the provider's refunds after reconciliation", () => {
    FastCheck.assert(
      FastCheck.property(script, (steps) => {
        expect(differs(steps, true)).toBe(false)
      }),
      { numRuns: runs(3000, 1000) }
    )
  })

  it("drift from the provider's refunds without reconciliation", () => {
    const result = FastCheck.check(
      FastCheck.property(script, (steps) => !differs(steps, false)),
      { numRuns: 1000, seed: 15 }
    )
    expect(result.failed).toBe(true)
  })
})

describe("a checkout's expiry", () => {
  const hold = FastCheck.integer({ min: -10, max: 3000 })

  it("equals the hold's expiry within the provider's range", () => {
    FastCheck.assert(FastCheck.property(moment, hold, (now, minutes) => {
      const expiresAt = Instant.addMinutes(now, minutes)
      const aheadMinutes = (computeCheckoutExpiry(expiresAt, now) - now) / 60_000
      expect(aheadMinutes).toBeGreaterThan(30)
      expect(aheadMinutes).toBeLessThan(24 * 60)
      expect(aheadMinutes).toBe(minutes < 31 ? 31 : minutes < 1439 ? minutes : 1439)
    }))
  })
})
