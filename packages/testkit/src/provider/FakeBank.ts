import type { Instant } from "@trailbook/core/time/Instant"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * How the next call to a provider goes wrong: it is broken before it has done
 * anything, or after (and remembers so under the key); it is busy; the line breaks
 * before it has done anything, or after; it never answers.
 */
export const bankFaults = ["broken", "broken after", "busy", "cut off", "answer lost", "hangs"] as const

export type BankFault = (typeof bankFaults)[number]

/** How a provider processes refunds. */
export type RefundMode = "done" | "pending" | "refused"

/** A notice as it is sent. */
export interface SentNotice {
  readonly body: Uint8Array
  readonly signature: string
}

/**
 * The other side of a provider that is no real one: what guests, their banks and
 * the network do. It has a clock of its own, which stands still.
 */
export class FakeBank extends Context.Tag("@trailbook/testkit/FakeBank")<
  FakeBank,
  {
    readonly now: Effect.Effect<Instant>
    readonly advance: (minutes: number) => Effect.Effect<void>
    /** The guest pays; null where that cannot be any more. */
    readonly pay: (session: string) => Effect.Effect<string | null>
    /** Makes a checkout that names a payment, with an amount of its own. The service did not request it. */
    readonly forge: (
      session: { readonly paymentId: string; readonly cents: number; readonly currency: string }
    ) => Effect.Effect<string>
    /** The guest's bank wants the money back. */
    readonly dispute: (intent: string) => Effect.Effect<void>
    /** The guest's bank decides the dispute. */
    readonly decide: (intent: string, outcome: "won" | "lost") => Effect.Effect<void>
    /** How refunds end from now on: sent, accepted and sent later, or refused with a response that is stored under the key. */
    readonly refunding: (how: RefundMode) => Effect.Effect<void>
    /** Sends a pending refund, or fails one, also after it was sent. */
    readonly endRefund: (intent: string, how: "done" | "failed") => Effect.Effect<void>
    /** The payments with a pending refund. */
    readonly pendingRefunds: Effect.Effect<ReadonlyArray<string>>
    /** How many forged checkouts were refunded. */
    readonly forgedReturned: Effect.Effect<number>
    /** Refunds a payment in the dashboard of the provider. */
    readonly refundManually: (intent: string) => Effect.Effect<void>
    /** The next call goes wrong in this way. */
    readonly fail: (fault: BankFault) => Effect.Effect<void>
    /** How many checkouts were made for a payment. */
    readonly made: (paymentId: string) => Effect.Effect<number>
    /** What was taken for a payment and not given back, in the smallest unit of its currency. */
    readonly balance: (paymentId: string) => Effect.Effect<number>
    /** How often a payment was given back. */
    readonly returned: (paymentId: string) => Effect.Effect<number>
    /** The checkouts that were made, the oldest first, known to who asked for them or not. */
    readonly sessions: Effect.Effect<ReadonlyArray<string>>
    /** All notices so far, the oldest first, as they were sent when it happened. */
    readonly notices: Effect.Effect<ReadonlyArray<SentNotice>>
    /** The same, as they are sent now to who did not answer then: each is signed anew. */
    readonly resent: Effect.Effect<ReadonlyArray<SentNotice>>
  }
>() {}
