/**
 * Records payments and refunds at the desk, and requests online payments and refunds. Each change locks the booking, so
 * the booking's amounts always equal the sum of its entries.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Actor } from "../../actor/Actor.ts"
import { computeBalance } from "../../booking/balance.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import { makeBookingTask } from "../../booking/eventsAndTasks.ts"
import type { UpdateBookingRefusal, UpdateBookingRequest } from "../../booking/write/BookingRequest.ts"
import { BookingWriter } from "../../booking/write/BookingWriter.ts"
import { getContactEmail } from "../../customer/Customer.ts"
import { makeLoadRecorder } from "../../oauth/loadRecorder.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { OrgStore } from "../../org/Orgs.ts"
import { EventLog } from "../../port/EventLog.ts"
import { failIfNotFound } from "../../port/failIfNotFound.ts"
import {
  type ExecutedRequest,
  type IdempotentRequest,
  makeIdempotentRunner,
  RequestKeys
} from "../../port/idempotency.ts"
import { Ids } from "../../port/Ids.ts"
import { retryOnConflict, TransactionContext, UnitOfWork } from "../../port/UnitOfWork.ts"
import { type Refusal, refuse, refuseWithRetryAfter } from "../../Refusal.ts"
import { TaskStore } from "../../task/Tasks.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as LocalDate from "../../time/LocalDate.ts"
import * as Zone from "../../time/Zone.ts"
import { changeDeskEntry, type DeskEntryChange, type DeskEntryInput } from "./deskEntry.ts"
import { computePaidCents, type DeskMethod, type LedgerEntry, LedgerStore } from "./LedgerEntry.ts"
import { deriveEntryId } from "./toOnlineEntries.ts"

/** A request to record money at the desk. */
export interface DeskEntryRequest extends Omit<DeskEntryInput, "id" | "recordedBy"> {
  readonly booking: OrgKey
  readonly by: Actor["Type"]
  readonly keyed?: IdempotentRequest | undefined
}

/**
 * A request to refund money. With a `method`, the refund is made at the desk. Otherwise, it applies to one online
 * payment or to all of them.
 */
export interface RefundRequest extends Omit<DeskEntryRequest, "method"> {
  readonly method?: DeskMethod | undefined
  readonly paymentId?: string | undefined
  /** Whether the refund also lowers the price. Otherwise, the guest owes the amount again. */
  readonly reducesPrice: boolean
}

export class Ledger extends Context.Tag("@trailbook/core/Ledger")<
  Ledger,
  {
    /**
     * Records a payment. If the booking is a hold, confirms it first. An amount above the amount due requires
     * `allowsOverpayment`.
     */
    readonly record: (
      request: DeskEntryRequest & { readonly allowsOverpayment: boolean }
    ) => Effect.Effect<
      LedgerEntry,
      Refusal<"not_found" | "booking_cancelled" | "hold_expired" | "amount_too_large" | "idempotency_conflict">
    >
    /**
     * Records a desk refund of at most the amount received at the desk for the booking, or requests refunds for online
     * payments, newest payment first. Returns one entry per payment.
     */
    readonly refund: (
      request: RefundRequest
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, UpdateBookingRefusal<"Refund"> | Refusal<"idempotency_conflict">>
    /** Emails the guest a link to pay the amount due, at most 3 times per local day. */
    readonly request: (
      key: OrgKey
    ) => Effect.Effect<
      void,
      Refusal<"not_found" | "booking_held" | "nothing_due" | "customer_erased" | "no_address" | "resend_limited">
    >
    /**
     * Voids a desk entry. An entry can be voided only on the local day it was created. Voiding it again changes
     * nothing.
     */
    readonly void: (
      key: OrgKey
    ) => Effect.Effect<LedgerEntry, Refusal<"not_found" | "amount_too_large" | "entry_final">>
  }
>() {
  static readonly layer = Layer.effect(Ledger, Effect.suspend(() => makeLedger))
}

const makeLedger = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const ids = yield* Ids
  const ledger = yield* LedgerStore
  const log = yield* EventLog
  const loadRecorder = yield* makeLoadRecorder
  const orgs = yield* OrgStore
  const writer = yield* BookingWriter
  const { make: makeOnce } = yield* makeIdempotentRunner
  const requestKeys = yield* RequestKeys
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork

  const lock = (key: OrgKey) => Effect.flatMap(bookings.lock([key]), failIfNotFound("booking", key.id))

  const storeChange = ({ booking, entry, event }: DeskEntryChange) =>
    Effect.gen(function*() {
      yield* bookings.update([booking])
      yield* ledger.put([entry])
      yield* log.append([event])
      return entry
    })

  /** Changes a booking in the request's transaction. */
  const update = <Tag extends UpdateBookingRequest["_tag"]>(
    change: Extract<UpdateBookingRequest, { readonly _tag: Tag }>
  ) =>
    Effect.gen(function*() {
      const { owner } = (yield* TransactionContext) ?? { owner: "engine" }
      yield* Effect.provideService(writer.update(change), TransactionContext, { owner })
    })

  const find = (key: OrgKey) => Effect.orDie(Effect.flatten(ledger.find(key)))

  /** Creates entries once per idempotency key. The first entry has the request's ID. */
  const recordOnce = <E>(
    { by, cents, keyed, note }: Omit<DeskEntryRequest, "method">,
    make: (money: Omit<DeskEntryInput, "method">) => Effect.Effect<ReadonlyArray<LedgerEntry>, E>
  ) => {
    const id = ids.uuid()
    return makeOnce(keyed, {
      createdIds: [id],
      replay,
      make: Effect.flatMap(loadRecorder(by), (recordedBy) => make({ id, cents, note, recordedBy }))
    })
  }

  const loadEntries = (orgId: string, id: string) =>
    Effect.gen(function*() {
      const entries: Array<LedgerEntry> = []
      for (;;) {
        const entry = yield* ledger.find({ orgId, id: deriveEntryId(id, entries.length) })
        if (Option.isNone(entry)) return entries
        entries.push(entry.value)
      }
    })

  const replay = ({ made: [id = ""], orgId }: ExecutedRequest) =>
    Effect.map(loadEntries(orgId, id), (entries) => ({
      isObsolete: entries.every(({ status }) => status === "void" || status === "failed"),
      result: Effect.succeed(entries)
    }))

  return Ledger.of({
    record: ({ allowsOverpayment, method, ...request }) =>
      Effect.map(
        recordOnce(request, (money) =>
          Effect.gen(function*() {
            const { booking: key } = request
            yield* update({ _tag: "Record", key, money: { ...money, method }, allowsOverpayment })
            return [yield* find({ orgId: key.orgId, id: money.id })]
          })),
        ([entry]) => requireEntry(entry)
      ),
    refund: ({ method, paymentId, reducesPrice, ...request }) =>
      recordOnce(request, (money) => {
        const { booking: key } = request
        const change = { _tag: "Refund", key, money, method, paymentId, reducesPrice } as const
        return Effect.zipRight(update(change), loadEntries(key.orgId, money.id))
      }),
    request: (key) =>
      retryOnConflict(
        run(Effect.gen(function*() {
          const { timezone } = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
          const now = yield* currentTime
          const zone = Zone.get(timezone)
          const today = zone.dateAt(now)
          // Each request on the same day takes a different key, so concurrent requests cannot exceed the limit.
          const slots = Array.from({ length: maxRequestsPerDay }, (_, index) => ({
            orgId: key.orgId,
            operation: "payments.request",
            key: `${key.id} ${LocalDate.format(today)} ${index}`
          }))
          const slot = yield* Effect.findFirst(slots, (slot) => Effect.map(requestKeys.find(slot), Option.isNone))
          if (Option.isSome(slot)) {
            yield* requestKeys.bind({ ...slot.value, fingerprint: "", made: [key.id], madeAt: now })
          }
          const { booking, customer } = yield* lock(key)
          if (booking.status === "held") return yield* refuse("booking_held")
          if (computeBalance(booking).dueCents === 0) return yield* refuse("nothing_due")
          // An erased customer has no email address.
          if (customer.email === "") return yield* refuse("customer_erased")
          if (getContactEmail(customer) === "") return yield* refuse("no_address")
          if (Option.isNone(slot)) {
            const seconds = Math.ceil((zone.startOf(LocalDate.addDays(today, 1)) - now) / 1000)
            return yield* refuseWithRetryAfter(
              seconds,
              "resend_limited",
              "This guest already received 3 payment requests today."
            )
          }
          yield* tasks.add([makeBookingTask(booking, "mail.payment", ids.uuid(), now)])
        })),
        // A concurrent request may take a key first, so try every key for the day.
        maxRequestsPerDay
      ),
    void: (key) =>
      run(Effect.gen(function*() {
        const unlockedEntry = yield* Effect.flatMap(ledger.find(key), failIfNotFound("payment", key.id))
        const { booking } = yield* lock({ orgId: key.orgId, id: unlockedEntry.bookingId })
        const entry = yield* Effect.flatMap(ledger.find(key), failIfNotFound("payment", key.id))
        if (entry.status === "void") return entry
        const org = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
        const now = yield* currentTime
        const zone = Zone.get(org.timezone)
        if (entry.method === "online" || zone.dateAt(entry.createdAt) !== zone.dateAt(now)) {
          return yield* refuse("entry_final")
        }
        const addedCents = -computePaidCents(entry)
        if (booking.deskCents + addedCents < 0) {
          return yield* refuseTooLarge("This money was refunded later. Void the refunds first.")
        }
        return yield* storeChange(
          changeDeskEntry("payment.updated", booking, { ...entry, status: "void" }, addedCents, now)
        )
      }))
  })
})

/** The maximum number of payment requests per booking and local day. */
const maxRequestsPerDay = 3

const refuseTooLarge = (message: string) => refuse("amount_too_large", message)

const requireEntry = (entry: LedgerEntry | undefined): LedgerEntry => {
  if (entry === undefined) throw new Error("Invariant violated: request without an entry")
  return entry
}
