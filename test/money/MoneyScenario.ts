/**
 * The events in a money scenario: actions by an outfitter and its guests, and faults in their connections to the bank.
 */
import { type RefundChoice, refundChoices } from "@trailbook/core/pricing"
import { type ProviderFault, providerFaults, type RefundMode } from "@trailbook/testkit/provider/FakeBank"
import * as FastCheck from "effect/FastCheck"

/** `at` is an index modulo the number of existing items. */
export type MoneyStep =
  | {
    readonly _tag: "Book"
    readonly session: number
    readonly guest: number
    readonly minutes: number | undefined
    /** Books this many seats on the offering that requires a deposit, and uses a discount code. */
    readonly seats?: number
  }
  /** Repeats the booking request with the same key. */
  | { readonly _tag: "Repeat"; readonly at: number }
  /** A guest pays at a checkout. Each resulting notification is then delivered this many times. */
  | { readonly _tag: "Pay"; readonly at: number; readonly notices: number }
  | { readonly _tag: "Notice"; readonly at: number }
  | { readonly _tag: "Confirm"; readonly at: number }
  | { readonly _tag: "Cancel"; readonly at: number; readonly refund?: RefundChoice }
  | { readonly _tag: "Move"; readonly at: number; readonly session: number }
  | { readonly _tag: "CancelSession"; readonly session: number }
  | { readonly _tag: "Dispute"; readonly at: number }
  | { readonly _tag: "Decide"; readonly at: number; readonly outcome: "won" | "lost" }
  /**
   * A guest pays a checkout that claims to be for a booking's latest payment but charges a different amount or
   * currency.
   */
  | { readonly _tag: "Forge"; readonly at: number; readonly cents: number; readonly currency: string }
  /** Sets how the bank processes refunds. */
  | { readonly _tag: "Refunding"; readonly how: RefundMode }
  /** The bank refuses new checkouts, or accepts them again. */
  | { readonly _tag: "RefuseCheckouts"; readonly refuses: boolean }
  | { readonly _tag: "EndRefund"; readonly at: number; readonly how: "done" | "failed" }
  | { readonly _tag: "RefundManually"; readonly at: number; readonly cents?: number }
  /** Staff record money at the desk. */
  | { readonly _tag: "Record"; readonly at: number; readonly cents: number }
  /** Staff refund online payments or cash. */
  | {
    readonly _tag: "Refund"
    readonly at: number
    readonly cents: number
    readonly method: "cash" | undefined
    readonly reducesPrice: boolean
  }
  /** Staff void a booking's latest entry. */
  | { readonly _tag: "Void"; readonly at: number }
  /** Staff change a booking's price. */
  | { readonly _tag: "Adjust"; readonly at: number; readonly cents: number }
  /** Staff change a booking's seats, and add or remove the discount code. */
  | { readonly _tag: "Change"; readonly at: number; readonly quantity: number; readonly hasCode: boolean }
  /** A guest opens the checkout for the balance. */
  | { readonly _tag: "Balance"; readonly at: number }
  /** The outfitter changes its currency. Existing bookings keep their currency. */
  | { readonly _tag: "Currency"; readonly currency: string }
  /** Staff email a request for the balance. */
  | { readonly _tag: "Request"; readonly at: number }
  /** Injects a fault into the next call to the bank. */
  | { readonly _tag: "Fault"; readonly fault: ProviderFault }
  /** The service crashes after this many points. */
  | { readonly _tag: "Die"; readonly after: number }
  | { readonly _tag: "Pass"; readonly minutes: number }
  /** Background jobs run: tasks, expired holds, and payment reconciliation. */
  | { readonly _tag: "Work" }
  | { readonly _tag: "AtOnce"; readonly steps: ReadonlyArray<MoneyStep> }

export type MoneyScenario = ReadonlyArray<MoneyStep>

const at = FastCheck.nat(3)
const session = FastCheck.nat(2)
const makeStep = <Tag extends MoneyStep["_tag"]>(
  weight: number,
  _tag: Tag,
  fields: { readonly [name: string]: FastCheck.Arbitrary<unknown> }
) => ({
  weight,
  arbitrary: FastCheck.record(fields).map((values) => ({ _tag, ...values }) as Extract<MoneyStep, { _tag: Tag }>)
})

const step: FastCheck.Arbitrary<MoneyStep> = FastCheck.oneof(
  makeStep(4, "Book", {
    session,
    guest: FastCheck.nat(2),
    minutes: FastCheck.constantFrom(undefined, undefined, 45, 1440)
  }),
  makeStep(2, "Repeat", { at }),
  makeStep(6, "Pay", { at: FastCheck.nat(5), notices: FastCheck.nat(2) }),
  makeStep(1, "Notice", { at: FastCheck.nat(9) }),
  makeStep(1, "Confirm", { at }),
  makeStep(2, "Cancel", { at }),
  makeStep(2, "Cancel", { at, refund: FastCheck.constantFrom(...refundChoices) }),
  makeStep(1, "Move", { at, session }),
  makeStep(1, "CancelSession", { session }),
  makeStep(1, "Dispute", { at: FastCheck.nat(5) }),
  makeStep(1, "Decide", { at: FastCheck.nat(5), outcome: FastCheck.constant("won") }),
  makeStep(1, "Forge", { at, cents: FastCheck.constantFrom(1, 9500), currency: FastCheck.constant("eur") }),
  makeStep(2, "Refunding", { how: FastCheck.constantFrom("done", "pending", "refused") }),
  makeStep(2, "EndRefund", { at: FastCheck.nat(5), how: FastCheck.constantFrom("done", "failed") }),
  makeStep(1, "RefundManually", { at: FastCheck.nat(5) }),
  makeStep(3, "Fault", { fault: FastCheck.constantFrom(...providerFaults) }),
  makeStep(2, "Die", { after: FastCheck.nat(6) }),
  makeStep(3, "Pass", { minutes: FastCheck.constantFrom(1, 10, 25, 31, 45, 200, 1500) }),
  makeStep(2, "Work", {})
)

export const moneyScenario: FastCheck.Arbitrary<MoneyScenario> = FastCheck.array(step, {
  minLength: 6,
  maxLength: 30,
  size: "max"
}).map((steps): MoneyScenario => [{ _tag: "Book", session: 0, guest: 0, minutes: undefined }, ...steps])

const deskStep: FastCheck.Arbitrary<MoneyStep> = FastCheck.oneof(
  makeStep(3, "Refund", {
    at,
    cents: FastCheck.constantFrom(1000, 4000, 9500),
    method: FastCheck.constantFrom(undefined, undefined, "cash"),
    reducesPrice: FastCheck.boolean()
  }),
  makeStep(1, "Record", { at, cents: FastCheck.constantFrom(1000, 9500) }),
  makeStep(1, "Void", { at }),
  makeStep(1, "Adjust", { at, cents: FastCheck.constantFrom(-3000, 0, 2000) }),
  makeStep(1, "RefundManually", { at: FastCheck.nat(5), cents: FastCheck.constantFrom(1000, 6000) }),
  makeStep(1, "Decide", { at: FastCheck.nat(5), outcome: FastCheck.constant("lost") }),
  makeStep(1, "EndRefund", { at: FastCheck.nat(5), how: FastCheck.constantFrom("done", "failed") })
)

const balance: FastCheck.Arbitrary<MoneyStep> = FastCheck.oneof(
  makeStep(4, "Book", {
    session,
    guest: FastCheck.nat(2),
    minutes: FastCheck.constantFrom(undefined, undefined, 1440),
    seats: FastCheck.integer({ min: 1, max: 2 })
  }),
  makeStep(6, "Pay", { at: FastCheck.nat(9), notices: FastCheck.nat(2) }),
  makeStep(6, "Balance", { at }),
  makeStep(1, "Request", { at }),
  makeStep(1, "Currency", { currency: FastCheck.constantFrom("usd", "eur") }),
  makeStep(2, "Change", { at, quantity: FastCheck.integer({ min: 1, max: 2 }), hasCode: FastCheck.boolean() }),
  makeStep(1, "CancelSession", { session: FastCheck.nat(5) })
)

const refundSteps: MoneyScenario = [
  { _tag: "Book", session: 0, guest: 0, minutes: undefined },
  { _tag: "Pay", at: 0, notices: 1 },
  { _tag: "Refund", at: 0, cents: 1000, method: undefined, reducesPrice: false }
]

/** Refunds, desk payments, and price changes, combined with the steps of other scenarios. */
export const ledgerScenario: FastCheck.Arbitrary<MoneyScenario> = FastCheck.array(FastCheck.oneof(step, deskStep), {
  minLength: 6,
  maxLength: 30,
  size: "max"
}).map((steps): MoneyScenario => [...refundSteps, ...steps])

/**
 * A guest uses a discount code to book the session that starts in 50 hours, pays the deposit, and opens a checkout for
 * the rest.
 */
export const depositScenario: MoneyScenario = [
  { _tag: "Book", session: 2, guest: 0, minutes: undefined, seats: 2 },
  { _tag: "Pay", at: 0, notices: 1 },
  { _tag: "Balance", at: 0 }
]

/** Deposits, discount codes, and balances, combined with the steps of other scenarios. */
export const balanceScenario: FastCheck.Arbitrary<MoneyScenario> = FastCheck.array(
  FastCheck.oneof(step, deskStep, balance, balance),
  { minLength: 6, maxLength: 30, size: "max" }
).map((steps): MoneyScenario => [...depositScenario, ...steps])

/**
 * 64 concurrent steps: staff record, refund, and void money and change the price while notifications arrive. A second
 * round adds a dispute and cancellations.
 */
export const ledgerCrowd: FastCheck.Arbitrary<MoneyScenario> = FastCheck.tuple(
  FastCheck.array(deskStep, { minLength: 60, maxLength: 60, size: "max" }),
  FastCheck.constantFrom(...refundChoices)
).map(([steps, refund]): MoneyScenario => [
  { _tag: "Book", session: 0, guest: 0, minutes: undefined },
  { _tag: "Pay", at: 0, notices: 0 },
  { _tag: "AtOnce", steps: [...steps, ...repeatStep(4, { _tag: "Notice", at: 0 })] },
  { _tag: "Work" },
  { _tag: "Dispute", at: 0 },
  {
    _tag: "AtOnce",
    steps: [
      ...steps.toReversed(),
      ...repeatStep(2, { _tag: "Notice", at: 0 }),
      ...repeatStep(2, { _tag: "Cancel", at: 0, refund })
    ]
  },
  { _tag: "EndRefund", at: 0, how: "failed" },
  { _tag: "Work" },
  { _tag: "Decide", at: 0, outcome: "won" },
  { _tag: "AtOnce", steps: repeatStep(64, { _tag: "Work" }) }
])

/** Guests pay the balance at several checkouts while staff record money and change the price. */
export const balanceCrowd: FastCheck.Arbitrary<MoneyScenario> = FastCheck.array(FastCheck.oneof(balance, deskStep), {
  minLength: 50,
  maxLength: 50,
  size: "max"
}).map((steps): MoneyScenario => [
  ...depositScenario,
  { _tag: "AtOnce", steps: [...steps, ...repeatStep(14, { _tag: "Balance", at: 0 })] },
  { _tag: "Work" },
  { _tag: "AtOnce", steps: [...repeatStep(8, { _tag: "Notice", at: 0 }), ...steps.toReversed()] },
  { _tag: "AtOnce", steps: repeatStep(16, { _tag: "Work" }) }
])

const repeatStep = (count: number, step: MoneyStep): MoneyScenario => Array.from({ length: count }, () => step)
