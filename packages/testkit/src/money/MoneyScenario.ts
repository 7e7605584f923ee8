/** The events of a money scenario: actions of an outfitter and guests, and faults of their connections to the bank. */
import { type RefundChoice, refundChoices } from "@trailbook/core/pricing/CancellationPolicy"
import * as FastCheck from "effect/FastCheck"
import { type BankFault, bankFaults, type RefundMode } from "../provider/FakeBank.ts"

/** `at` is an index modulo the number of existing items. */
export type MoneyStep =
  | { readonly _tag: "Book"; readonly session: number; readonly guest: number; readonly minutes: number | undefined }
  /** Repeats the booking request with the same key. */
  | { readonly _tag: "Repeat"; readonly at: number }
  /** A guest pays at a checkout. After that, this many of the notifications so far arrive. */
  | { readonly _tag: "Pay"; readonly at: number; readonly notices: number }
  | { readonly _tag: "Notice"; readonly at: number }
  | { readonly _tag: "Confirm"; readonly at: number }
  | { readonly _tag: "Cancel"; readonly at: number; readonly refund?: RefundChoice }
  | { readonly _tag: "Move"; readonly at: number; readonly session: number }
  | { readonly _tag: "CancelSession"; readonly session: number }
  | { readonly _tag: "Dispute"; readonly at: number }
  | { readonly _tag: "Decide"; readonly at: number; readonly outcome: "won" | "lost" }
  /** A checkout names the latest payment of a booking, charges another amount or currency, and is paid. */
  | { readonly _tag: "Forge"; readonly at: number; readonly cents: number; readonly currency: string }
  /** Sets how the bank processes refunds. */
  | { readonly _tag: "Refunding"; readonly how: RefundMode }
  /** The bank refuses new checkouts, or accepts them again. */
  | { readonly _tag: "RefuseCheckouts"; readonly refuses: boolean }
  | { readonly _tag: "EndRefund"; readonly at: number; readonly how: "done" | "failed" }
  | { readonly _tag: "RefundManually"; readonly at: number }
  /** Injects a fault into the next call to the bank. */
  | { readonly _tag: "Fault"; readonly fault: BankFault }
  /** The service crashes after this many points. */
  | { readonly _tag: "Die"; readonly after: number }
  | { readonly _tag: "Pass"; readonly minutes: number }
  /** Background jobs run: tasks, expired holds, and payment reconciliation. */
  | { readonly _tag: "Work" }
  | { readonly _tag: "AtOnce"; readonly steps: ReadonlyArray<MoneyStep> }

export type MoneyScenario = ReadonlyArray<MoneyStep>

const at = FastCheck.nat(3)
const session = FastCheck.nat(2)
const of = <Tag extends MoneyStep["_tag"]>(
  weight: number,
  _tag: Tag,
  fields: { readonly [name: string]: FastCheck.Arbitrary<unknown> }
) => ({
  weight,
  arbitrary: FastCheck.record(fields).map((given) => ({ _tag, ...given }) as Extract<MoneyStep, { _tag: Tag }>)
})

const step: FastCheck.Arbitrary<MoneyStep> = FastCheck.oneof(
  of(4, "Book", { session, guest: FastCheck.nat(2), minutes: FastCheck.constantFrom(undefined, undefined, 45, 1440) }),
  of(2, "Repeat", { at }),
  of(6, "Pay", { at: FastCheck.nat(5), notices: FastCheck.nat(2) }),
  of(1, "Notice", { at: FastCheck.nat(9) }),
  of(1, "Confirm", { at }),
  of(2, "Cancel", { at }),
  of(2, "Cancel", { at, refund: FastCheck.constantFrom(...refundChoices) }),
  of(1, "Move", { at, session }),
  of(1, "CancelSession", { session }),
  of(1, "Dispute", { at: FastCheck.nat(5) }),
  of(1, "Decide", { at: FastCheck.nat(5), outcome: FastCheck.constant("won") }),
  of(1, "Forge", { at, cents: FastCheck.constantFrom(1, 9500), currency: FastCheck.constant("eur") }),
  of(2, "Refunding", { how: FastCheck.constantFrom("done", "pending", "refused") }),
  of(2, "EndRefund", { at: FastCheck.nat(5), how: FastCheck.constantFrom("done", "failed") }),
  of(1, "RefundManually", { at: FastCheck.nat(5) }),
  of(3, "Fault", { fault: FastCheck.constantFrom(...bankFaults) }),
  of(2, "Die", { after: FastCheck.nat(6) }),
  of(3, "Pass", { minutes: FastCheck.constantFrom(1, 10, 25, 31, 45, 200, 1500) }),
  of(2, "Work", {})
)

export const moneyScenario: FastCheck.Arbitrary<MoneyScenario> = FastCheck.array(step, {
  minLength: 6,
  maxLength: 30,
  size: "max"
}).map((steps): MoneyScenario => [{ _tag: "Book", session: 0, guest: 0, minutes: undefined }, ...steps])
