import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Actor, refundPermission } from "../../actor/Actor.ts"
import * as Operation from "../../operation/Operation.ts"
import type { OperationHandlers } from "../../operation/Registry.ts"
import { toIdempotentRequest } from "../../operation/toIdempotentRequest.ts"
import { Ids } from "../../port/Ids.ts"
import { makePaginatedHandler, smallRowPageSize } from "../../port/readInPages.ts"
import { invalid } from "../../Refusal.ts"
import { toCreationPosition } from "../../wire/Cursor.ts"
import * as Field from "../../wire/Field.ts"
import { toPatch } from "../../wire/snakeCase.ts"
import { Ok, ok, page } from "../../wire/View.ts"
import { type DeskEntryRequest, Ledger } from "./Ledger.ts"
import { deskMethods, LedgerEntryView, ledgerEntryView, LedgerStore, paymentMethods } from "./LedgerEntry.ts"
import { makeMarkTestEntries } from "./toOnlineEntries.ts"

export const paymentsList = Operation.make("payments.list", {
  route: ["GET", "/payments"],
  summary: "List payments and refunds, online and at the desk, newest first.",
  description: "Returns entries with from <= created_at < to.",
  input: Schema.Struct({
    booking_id: Field.describedOptional("only entries for this booking", Field.uuid),
    from: Field.describedOptional("from this time on", Field.instant),
    to: Field.describedOptional("before this time", Field.instant),
    method: Field.describedOptional("only entries with this method", Field.oneOf(...paymentMethods)),
    ...Field.paging
  }),
  output: page(LedgerEntryView),
  tool: {
    title: "List payments",
    toolset: "bookings",
    description: "Lists all payments and refunds."
  }
})

const deskFields = {
  id: Field.withDescription("the booking", Field.uuid),
  method: Field.withDescription("how it was paid", Field.oneOf(...deskMethods)),
  amount_cents: Field.withDescription("the amount in the booking's currency", Field.integer(1, 99_999_999_999)),
  note: Field.describedOptional("a note for staff", Field.text({ min: 0, max: 500 })),
  idempotency_key: Field.idempotencyKey
}

export const paymentsRecord = Operation.make("payments.record", {
  route: ["POST", "/bookings/:id/payments"],
  summary: "Record a payment received at the desk, such as cash. Confirms a hold.",
  description: "The amount can be at most the booking's due_cents, unless allow_overpayment is true.",
  input: Schema.Struct({
    ...deskFields,
    allow_overpayment: Field.describedOptional("whether the amount may exceed due_cents", Field.boolean, false)
  }),
  output: LedgerEntryView,
  refusals: ["not_found", "booking_cancelled", "hold_expired", "amount_too_large", "idempotency_conflict"],
  status: 201,
  hints: { idempotencyKey: "idempotency_key" },
  tool: {
    title: "Record a payment",
    toolset: "bookings",
    description: "Records money received at the desk, at most due_cents. Confirms a hold. Charges no card."
  }
})

export const paymentsRefund = Operation.make("payments.refund", {
  route: ["POST", "/bookings/:id/refunds"],
  summary: "Refund online payments, or record a refund at the desk.",
  description:
    "If method is set, records a refund of at most the amount received at the desk for the booking. Otherwise, the " +
    "amount is refunded through the payment provider, from payment_id or from all online payments, newest " +
    "first. Unless the booking is canceled, the guest owes the amount again.",
  input: Schema.Struct({
    ...deskFields,
    method: Field.describedOptional(
      "the desk refund's method. Omit it for an online refund",
      Field.oneOf(...deskMethods)
    ),
    payment_id: Field.describedOptional("only this online payment", Field.uuid),
    reduce_price: Field.describedOptional("whether to reduce the price by this amount", Field.boolean, false)
  }),
  output: Schema.Struct({
    data: Field.withDescription("the refunds, one for each payment", Schema.Array(LedgerEntryView))
  }),
  refusals: ["not_found", "amount_too_large", "idempotency_conflict"],
  status: 201,
  ...refundPermission,
  hints: { idempotencyKey: "idempotency_key" },
  tool: {
    title: "Refund a payment",
    toolset: "bookings",
    description: "Refunds online payments, newest first, or records a refund at the desk if method is set."
  }
})

export const paymentsRequest = Operation.make("payments.request", {
  route: ["POST", "/bookings/:id/payment-requests"],
  summary: "Email the guest a link to pay the balance online, at most 3 times a day.",
  description: "The guest pays the amount that is due when the checkout opens.",
  input: Schema.Struct({ id: Field.withDescription("the booking", Field.uuid) }),
  output: Ok,
  refusals: ["not_found", "booking_held", "nothing_due", "customer_erased", "no_address", "resend_limited"],
  hints: { openWorld: true },
  tool: {
    title: "Request a payment",
    toolset: "bookings",
    description: "Emails the guest a link to pay the balance online, at most 3 times a day."
  }
})

export const paymentsVoid = Operation.make("payments.void", {
  route: ["POST", "/payments/:id/void"],
  summary: "Void a desk entry that was recorded today by mistake. Safe to retry.",
  description: "The entry stays in the list with the status void. An entry from an earlier day, or an online " +
    "payment, cannot be voided.",
  input: Schema.Struct({ id: Field.withDescription("the payment or refund", Field.uuid) }),
  output: LedgerEntryView,
  refusals: ["not_found", "amount_too_large", "entry_final"],
  ...refundPermission,
  hints: { idempotent: true },
  tool: {
    title: "Void a payment",
    toolset: "admin",
    description: "Voids a desk entry from today. Safe to retry."
  }
})

export const ledgerOperations = [paymentsList, paymentsRecord, paymentsRefund, paymentsRequest, paymentsVoid] as const

const list = makePaginatedHandler("payments", smallRowPageSize, toCreationPosition, ledgerEntryView)

export const ledgerHandlers = Effect.gen(function*() {
  const ids = yield* Ids
  const markTest = yield* makeMarkTestEntries
  const ledger = yield* Ledger
  const store = yield* LedgerStore

  const toDeskRequest = (
    { name }: { readonly name: string },
    input: Pick<typeof paymentsRefund.input.Type, "id" | "amount_cents" | "idempotency_key" | "note">,
    extraFields: object,
    by: Actor["Type"]
  ): Omit<DeskEntryRequest, "method"> => {
    const { amount_cents: cents, id, idempotency_key: key, note = "" } = input
    const { orgId } = by
    const request = toIdempotentRequest(ids, by, name, key, { id, cents, ...extraFields, note })
    return { booking: { orgId, id }, cents, note, by, keyed: request }
  }

  return {
    "payments.list": ({ cursor, limit, ...query }, { orgId }) =>
      list(
        { cursor, limit },
        (after, limit) =>
          Effect.flatMap(store.list({ ...toPatch(query), orgId, after, limit }), (rows) => markTest(orgId, rows))
      ),
    "payments.record": ({ allow_overpayment: allowsOverpayment = false, method, ...fields }, actor) =>
      Effect.map(
        ledger.record({ ...toDeskRequest(paymentsRecord, fields, { method }, actor), method, allowsOverpayment }),
        ledgerEntryView
      ),
    "payments.refund": ({ method, payment_id: paymentId, reduce_price: reducesPrice = false, ...fields }, actor) =>
      method !== undefined && paymentId !== undefined
        ? invalid(
          "payment_id: cannot be combined with method, because an online payment cannot be refunded at the desk"
        )
        : ledger.refund({
          ...toDeskRequest(
            paymentsRefund,
            fields,
            toPatch({ method, paymentId, reducesPrice: reducesPrice || undefined }),
            actor
          ),
          method,
          paymentId,
          reducesPrice
        }).pipe(
          Effect.flatMap((entries) => markTest(actor.orgId, entries)),
          Effect.map((entries) => ({ data: entries.map(ledgerEntryView) }))
        ),
    "payments.request": ({ id }, { orgId }) => Effect.as(ledger.request({ orgId, id }), ok),
    "payments.void": ({ id }, { orgId }) => Effect.map(ledger.void({ orgId, id }), ledgerEntryView)
  } satisfies OperationHandlers<typeof ledgerOperations>
})
