import type { LedgerEntry } from "@trailbook/core/payment"
import { depositScenario, type MoneyScenario } from "./MoneyScenario.ts"
import type { MoneyBooking } from "./MoneySimulation.ts"

/**
 * Describes the money errors in a scenario. The bank must hold the price of every paid and kept booking. No payment may
 * be refunded twice. Every guest who paid must be notified of the outcome.
 */
export const wrongMoney = (all: ReadonlyArray<MoneyBooking>): ReadonlyArray<string> =>
  all.flatMap(({ balance, booking, due, forgedReturned, news, returned, taken }) => {
    const isInformed = news.some((subject) => !subject.startsWith("Payment required"))
    return [
      ...(balance === due ? [] : [`The bank balance of ${JSON.stringify(booking)} is ${balance}. Expected ${due}.`]),
      ...(forgedReturned > 0 ? ["The provider sent a refund that the service did not request."] : []),
      ...(returned > 1 ? [`A payment for ${booking.id} was refunded ${returned} times.`] : []),
      ...(taken > 0 && !isInformed ? [`The guest of booking ${booking.id} received no email about the refund.`] : [])
    ]
  })

/**
 * Describes the ledger errors. A booking's amounts must match the formulas over its entries, refunds must not exceed
 * payments, and the online entries must equal the bank's records. A booking's lines must sum to its total, and a
 * discount code must count its bookings.
 */
export const wrongLedger = (all: ReadonlyArray<MoneyBooking>): ReadonlyArray<string> =>
  all.flatMap(({ balance, booking, entries, extraUses, payments }) => {
    const { due_cents, kept_cents, lines, owed_cents, paid_cents, total_cents } = booking
    const price = lines?.reduce((total, line) => line.included ? total : total + line.total_cents, 0)
    const sum = (kind: "payment" | "refund", counts: (entry: LedgerEntry) => boolean) =>
      entries.reduce((total, entry) => total + (entry.kind === kind && counts(entry) ? entry.cents : 0), 0)
    const isActive = ({ status }: LedgerEntry) => status === "done" || status === "pending"
    const paidCents = sum("payment", isActive) - sum("refund", isActive)
    const fields = booking.cancelled_at === null
      ? [Math.max(0, total_cents - paidCents), Math.max(0, paidCents - total_cents), null]
      : [0, paidCents - (kept_cents ?? NaN), kept_cents]
    const isOurs = (entry: LedgerEntry) => isActive(entry) && entry.reason !== "provider"
    const exceeded = payments.filter(({ id }) =>
      sum("refund", (entry) => isOurs(entry) && entry.refundOf === id) >
        sum("payment", (entry) => entry.id === id)
    )
    const isDeskEntry = (entry: LedgerEntry) => entry.method !== "online" && isActive(entry)
    // The bank's balance includes disputed money.
    const sentCents = payments.flatMap((payment) => payment.status === "paid" ? payment.refunds : [])
      .filter(({ providerId, status }) => status === "done" && providerId !== "dispute")
      .reduce((total, { cents }) => total + cents, 0)
    const online = sum("payment", ({ method }) => method === "online")
    const violations: ReadonlyArray<readonly [isWrong: boolean, what: string]> = [
      [paid_cents !== paidCents, `paid_cents is ${paid_cents}, but the entries sum to ${paidCents}`],
      [
        String([due_cents, owed_cents, kept_cents]) !== String(fields),
        `due, owed, and kept differ from ${String(fields)}`
      ],
      [exceeded.length > 0, "the refunds of a payment exceed it"],
      [sum("refund", isDeskEntry) > sum("payment", isDeskEntry), "the desk refunds exceed the desk payments"],
      [price !== undefined && price !== total_cents, `total_cents is ${total_cents}, but the lines sum to ${price}`],
      [
        payments.some(({ currency }) => currency !== booking.currency),
        "the currency of a payment differs from the currency of the booking"
      ],
      [extraUses !== 0, `the discount code counts ${extraUses} too many uses`],
      [
        online - sentCents !== balance,
        `the bank balance is ${balance}, but the ledger balance is ${online - sentCents}`
      ]
    ]
    return violations.flatMap(([isWrong, what]) => isWrong ? [`${what}: ${JSON.stringify({ booking, entries })}`] : [])
  })

const book = { _tag: "Book", session: 0, guest: 0, minutes: undefined } as const

/** Scenarios that fail without a guard, keyed by guard name. */
export const guardScenarios = {
  /**
   * The bank creates a checkout but returns an error. A guest still pays at that checkout, and no notification arrives.
   */
  looks: [{ _tag: "Fault", fault: "broken after" }, book, { _tag: "Pay", at: 0, notices: 0 }],
  /** A booking has two checkouts, and both are paid. */
  returnsSecond: [
    { _tag: "Fault", fault: "broken after" },
    book,
    { _tag: "Pay", at: 0, notices: 1 },
    { _tag: "Pay", at: 1, notices: 1 }
  ],
  /** A refund is made, its response is lost, and the request is repeated. */
  keys: [
    book,
    { _tag: "Pay", at: 0, notices: 1 },
    { _tag: "Cancel", at: 0 },
    { _tag: "Fault", fault: "answer lost" },
    { _tag: "Work" }
  ]
} as const satisfies { readonly [guard: string]: MoneyScenario }

/** The outfitter confirms a hold, and the guest tries to pay at the old checkout. */
export const confirmedScenario: MoneyScenario = [
  book,
  { _tag: "Confirm", at: 0 },
  { _tag: "Work" },
  { _tag: "Pay", at: 0, notices: 1 }
]

/** A guest pays, cancels, and is notified before the payment notification arrives. */
export const crossedScenario: MoneyScenario = [
  book,
  { _tag: "Pay", at: 0, notices: 0 },
  { _tag: "Cancel", at: 0 },
  { _tag: "Notice", at: 0 },
  { _tag: "Work" }
]

/** Staff refund the payment at the bank and cancel the booking. Then the refund fails. */
export const bankRefundFailedLater: MoneyScenario = [
  book,
  { _tag: "Pay", at: 0, notices: 1 },
  { _tag: "Work" },
  { _tag: "RefundManually", at: 0 },
  { _tag: "Work" },
  { _tag: "Cancel", at: 0 },
  { _tag: "EndRefund", at: 0, how: "failed" },
  { _tag: "Work" }
]

/** A payment notification arrives after the cancellation, and the payment is disputed before it is refunded. */
export const disputedLate: MoneyScenario = [
  book,
  { _tag: "Pay", at: 0, notices: 0 },
  { _tag: "Cancel", at: 0 },
  { _tag: "Notice", at: 0 },
  { _tag: "Dispute", at: 0 },
  { _tag: "Notice", at: 0 },
  { _tag: "Work" }
]

/** A bank that has forgotten a request creates two checkouts for the same payment, and both are paid. */
export const twoCheckouts: ReadonlyArray<MoneyScenario> = [[0, 1], [1, 0]].map((order) => [
  { _tag: "Fault", fault: "answer lost" },
  book,
  { _tag: "Repeat", at: 0 },
  ...order.map((at) => ({ _tag: "Pay" as const, at, notices: 2 }))
])

/** A checkout names a payment's ID but charges a different amount or currency. */
export const forgedCheckouts: ReadonlyArray<MoneyScenario> = [[1, "usd"], [9500, "jpy"]].map(([cents, currency]) => [
  book,
  { _tag: "Forge" as const, at: 0, cents: Number(cents), currency: String(currency) },
  { _tag: "Work" as const }
])

/** The provider refuses a refund and stores the refusal. Later, the provider has the funds. */
export const refusedOnce: MoneyScenario = [
  book,
  { _tag: "Pay", at: 0, notices: 1 },
  { _tag: "Refunding", how: "refused" },
  { _tag: "Cancel", at: 0 },
  { _tag: "Work" },
  { _tag: "Pass", minutes: 10 },
  { _tag: "Work" }
]

/** The provider refuses a checkout and stores the refusal. The guest's request is repeated, or the task runs. */
export const refusedCheckouts: ReadonlyArray<MoneyScenario> = [
  [{ _tag: "Repeat" as const, at: 0 }],
  [{ _tag: "Pass" as const, minutes: 5 }, { _tag: "Work" as const }]
].map((next) => [
  { _tag: "RefuseCheckouts", refuses: true },
  book,
  { _tag: "Repeat", at: 0 },
  { _tag: "RefuseCheckouts", refuses: false },
  ...next,
  { _tag: "Pay", at: 0, notices: 1 }
])

/** The provider accepts a refund but then fails to send it. */
export const failedLater: MoneyScenario = [
  book,
  { _tag: "Pay", at: 0, notices: 1 },
  { _tag: "Refunding", how: "pending" },
  { _tag: "Cancel", at: 0 },
  { _tag: "Work" },
  { _tag: "EndRefund", at: 0, how: "failed" },
  { _tag: "Work" }
]

/** A guest's bank disputes a payment, and the booking is canceled. */
export const disputedPayment: MoneyScenario = [
  book,
  { _tag: "Pay", at: 0, notices: 1 },
  { _tag: "Dispute", at: 0 },
  { _tag: "Work" },
  { _tag: "Cancel", at: 0 },
  { _tag: "Work" }
]

const splitTimes = (step: MoneyScenario[number]): MoneyScenario[number] => ({
  _tag: "AtOnce",
  steps: Array.from({ length: 64 }, () => step)
})

/**
 * The bank is unreachable at first. Then 64 requests open one checkout, 64 notifications report one payment, and 64
 * workers refund it.
 */
export const crowd: MoneyScenario = [
  { _tag: "Fault", fault: "cut off" },
  book,
  splitTimes({ _tag: "Repeat", at: 0 }),
  { _tag: "Work" },
  { _tag: "Pay", at: 0, notices: 0 },
  splitTimes({ _tag: "Notice", at: 0 }),
  { _tag: "Work" },
  { _tag: "Cancel", at: 0 },
  splitTimes({ _tag: "Work" })
]

/** The desk receives part of the balance, and then the guest pays the checkout for the entire balance. */
export const balancePaidTwice: MoneyScenario = [
  ...depositScenario,
  { _tag: "Record", at: 0, cents: 9500 },
  { _tag: "Pay", at: 1, notices: 1 },
  { _tag: "Work" }
]

/** The balance is paid. Then the guest opens another checkout, although nothing is due. */
export const balancePaid: MoneyScenario = [
  ...depositScenario,
  { _tag: "Pay", at: 1, notices: 2 },
  { _tag: "Balance", at: 0 },
  { _tag: "Work" }
]

/** The outfitter changes its currency while the provider refuses a hold's checkouts. */
export const currencyChanged: MoneyScenario = [
  { _tag: "RefuseCheckouts", refuses: true },
  book,
  { _tag: "Currency", currency: "eur" },
  { _tag: "Repeat", at: 0 },
  { _tag: "RefuseCheckouts", refuses: false },
  { _tag: "Repeat", at: 0 },
  { _tag: "Pay", at: 0, notices: 1 }
]

/** Scenarios in which the ledger is wrong if the guard is removed, keyed by guard name. */
export const ledgerGuards = {
  /** Staff refund part of a payment at the bank, and no notification arrives. */
  looks: [book, { _tag: "Pay", at: 0, notices: 1 }, { _tag: "RefundManually", at: 0, cents: 1000 }],
  /** The response to a partial refund is lost, and the request is repeated. */
  keys: [
    book,
    { _tag: "Pay", at: 0, notices: 1 },
    { _tag: "Refund", at: 0, cents: 1000, method: undefined, reducesPrice: false },
    { _tag: "Fault", fault: "answer lost" },
    { _tag: "Work" }
  ],
  /** The desk receives part of the balance, and the online payment for the same part is refunded. */
  returnsSecond: balancePaidTwice,
  /** A refund is made, and then the bank reverses it. */
  follows: [
    book,
    { _tag: "Pay", at: 0, notices: 1 },
    { _tag: "Refund", at: 0, cents: 1000, method: undefined, reducesPrice: false },
    { _tag: "Work" }
  ]
} as const satisfies { readonly [guard: string]: MoneyScenario }

/** Staff refund a payment in parts, and the bank reverses the last refund. */
export const partsFailedLater: MoneyScenario = [
  book,
  { _tag: "Pay", at: 0, notices: 1 },
  { _tag: "Refund", at: 0, cents: 1000, method: undefined, reducesPrice: true },
  { _tag: "Work" },
  { _tag: "Refund", at: 0, cents: 4000, method: undefined, reducesPrice: false },
  { _tag: "Work" },
  { _tag: "EndRefund", at: 0, how: "failed" },
  { _tag: "Work" }
]

/**
 * Staff return the money in two parts at the bank while a refund is pending. The bank then responds that the payment is
 * already refunded.
 */
export const returnedInParts: MoneyScenario = [
  book,
  { _tag: "Pay", at: 0, notices: 1 },
  { _tag: "Refund", at: 0, cents: 9500, method: undefined, reducesPrice: false },
  { _tag: "RefundManually", at: 0, cents: 6000 },
  { _tag: "RefundManually", at: 0, cents: 6000 },
  { _tag: "Work" }
]
