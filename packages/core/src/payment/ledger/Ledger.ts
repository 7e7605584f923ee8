/**
 * Records money that is received and returned at the desk. Each change locks the booking, so that concurrent changes
 * keep its amounts equal to the sum of its entries.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Actor } from "../../actor/Actor.ts"
import { BookingStore } from "../../booking/BookingStore.ts"
import { BookingWriter } from "../../booking/write/BookingWriter.ts"
import { formatAmount } from "../../money/formatAmount.ts"
import { makeRecorderFor } from "../../oauth/recorderFor.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { OrgStore } from "../../org/OrgStore.ts"
import { EventLog } from "../../port/EventLog.ts"
import { type KeyedRequest, makeIdempotent } from "../../port/idempotent.ts"
import { Ids } from "../../port/Ids.ts"
import { orNotFound } from "../../port/orNotFound.ts"
import type { KeptRequest } from "../../port/RequestKeys.ts"
import { TransactionContext } from "../../port/TransactionContext.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { type Refusal, refuse } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Zone from "../../time/Zone.ts"
import { addDeskEntry, changeDeskEntry, type DeskChange, type DeskMoney } from "./deskEntry.ts"
import { type LedgerEntry, paidBy } from "./LedgerEntry.ts"
import { LedgerStore } from "./LedgerStore.ts"

/** A request to record money at the desk. */
export interface DeskRequest extends Omit<DeskMoney, "id" | "recordedBy"> {
  readonly booking: OrgKey
  readonly by: Actor["Type"]
  readonly keyed?: KeyedRequest | undefined
}

export class Ledger extends Context.Tag("@trailbook/core/Ledger")<
  Ledger,
  {
    /** Records a payment and confirms a hold first. Accepts more than is due only if `allowsOverpayment` is true. */
    readonly record: (
      request: DeskRequest & { readonly allowsOverpayment: boolean }
    ) => Effect.Effect<
      LedgerEntry,
      Refusal<"not_found" | "booking_cancelled" | "hold_expired" | "amount_too_large" | "idempotency_conflict">
    >
    /** Records a refund, at most what the booking received at the desk. */
    readonly refund: (
      request: DeskRequest
    ) => Effect.Effect<LedgerEntry, Refusal<"not_found" | "amount_too_large" | "idempotency_conflict">>
    /** Voids an entry of the desk on the local day of its creation. Safe to repeat. */
    readonly void: (
      key: OrgKey
    ) => Effect.Effect<LedgerEntry, Refusal<"not_found" | "amount_too_large" | "entry_final">>
  }
>() {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const ids = yield* Ids
      const ledger = yield* LedgerStore
      const log = yield* EventLog
      const recorderFor = yield* makeRecorderFor
      const orgs = yield* OrgStore
      const writer = yield* BookingWriter
      const { make: makeOnce } = yield* makeIdempotent
      const { run } = yield* UnitOfWork

      const lock = (key: OrgKey) => Effect.flatMap(bookings.lock([key]), orNotFound("booking", key.id))

      const store = ({ booking, entry, event }: DeskChange) =>
        Effect.gen(function*() {
          yield* bookings.put([booking])
          yield* ledger.put([entry])
          yield* log.append([event])
          return entry
        })

      const find = (key: OrgKey) => Effect.orDie(Effect.flatten(ledger.find(key)))

      /** Creates an entry, once per idempotency key. */
      const create = <E>(
        { by, cents, keyed, method, note }: DeskRequest,
        make: (money: DeskMoney) => Effect.Effect<LedgerEntry, E>
      ) => {
        const id = ids.uuid()
        return makeOnce(keyed, {
          made: [id],
          again,
          make: Effect.flatMap(recorderFor(by), (recordedBy) => make({ id, method, cents, note, recordedBy }))
        })
      }

      const again = ({ made: [id = ""], orgId }: KeptRequest) =>
        Effect.map(find({ orgId, id }), (entry) => ({
          over: entry.status === "void",
          answer: Effect.succeed(entry)
        }))

      return Ledger.of({
        record: ({ allowsOverpayment, ...request }) =>
          create(request, (money) =>
            Effect.gen(function*() {
              const { booking: key } = request
              const { owner } = (yield* TransactionContext) ?? { owner: "engine" }
              const update = writer.update({ _tag: "Record", key, money, allowsOverpayment })
              yield* Effect.provideService(update, TransactionContext, { owner })
              return yield* find({ orgId: key.orgId, id: money.id })
            })),
        refund: (request) =>
          create(request, (money) =>
            Effect.gen(function*() {
              const { booking } = yield* lock(request.booking)
              const { currency, deskCents } = booking
              if (money.cents > deskCents) {
                return yield* tooLarge(`amount_cents: ${formatAmount(deskCents, currency)} was received at the desk.`)
              }
              return yield* store(addDeskEntry("refund", booking, money, yield* currentTime))
            })),
        void: (key) =>
          run(Effect.gen(function*() {
            const first = yield* Effect.flatMap(ledger.find(key), orNotFound("payment", key.id))
            const { booking } = yield* lock({ orgId: key.orgId, id: first.bookingId })
            const entry = yield* Effect.flatMap(ledger.find(key), orNotFound("payment", key.id))
            if (entry.status === "void") return entry
            const org = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
            const now = yield* currentTime
            const zone = Zone.get(org.timezone)
            if (entry.method === "online" || zone.dateAt(entry.createdAt) !== zone.dateAt(now)) {
              return yield* refuse("entry_final")
            }
            const addedCents = -paidBy(entry)
            if (booking.deskCents + addedCents < 0) {
              return yield* tooLarge("Later refunds returned this money. Void them first.")
            }
            return yield* store(
              changeDeskEntry("payment.updated", booking, { ...entry, status: "void" }, addedCents, now)
            )
          }))
      })
    })
  )
}

const tooLarge = (message: string) => refuse("amount_too_large", message)
