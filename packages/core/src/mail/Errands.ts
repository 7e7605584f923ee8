/**
 * Running errands: what leaves the service after a unit of work has committed.
 * A neighbour that fails delays its own errand only; it is tried again after 1,
 * 2, 4 … minutes, at most 6 hours apart, until it succeeds. An errand whose
 * success could not be written down runs again, so it runs at least once.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Booking } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { Payments } from "../booking/Payments.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { type Errand, type ErrandKind, Outbox } from "../port/Outbox.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { compose } from "./compose.ts"
import { Mailer } from "./Mailer.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Errands extends Context.Tag("@trailbook/core/Errands")<
  Errands,
  {
    /** Runs up to `limit` errands that are due and says how many there were. */
    readonly run: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = (options: { readonly publicUrl: string }) =>
    Layer.effect(
      Errands,
      Effect.gen(function*() {
        const bookings = yield* BookingStore
        const mailer = yield* Mailer
        const orgs = yield* OrgStore
        const outbox = yield* Outbox
        const payments = yield* Payments

        const attempt = (errand: Errand) =>
          Effect.gen(function*() {
            const record = yield* bookings.find({ orgId: errand.orgId, id: errand.bookingId })
            const org = yield* orgs.find(errand.orgId)
            if (Option.isNone(record) || Option.isNone(org)) return
            if (errand.kind === "refund") return yield* payments.refund(record.value, org.value)
            // An erased guest has no address left to write to.
            if (record.value.customer.email === "") return
            if (isOvertaken(errand.kind, record.value.booking)) return
            yield* mailer.send(compose(errand, errand.kind, record.value, org.value, options.publicUrl))
          })

        const later = (errand: Errand, lastError: string) =>
          Effect.gen(function*() {
            const minutes = Math.min(2 ** errand.attempts, 360)
            const dueAt = Instant.addMinutes(yield* moment, minutes)
            yield* outbox.postpone({ ...errand, attempts: errand.attempts + 1, lastError, dueAt })
            yield* Effect.logWarning("An errand failed and is tried again.").pipe(
              Effect.annotateLogs({ errand: errand.id, kind: errand.kind, org_id: errand.orgId, in_minutes: minutes })
            )
          })

        return Errands.of({
          run: (limit) =>
            Effect.gen(function*() {
              const due = yield* outbox.due(yield* moment, limit)
              yield* Effect.forEach(due, (errand) =>
                // A message that cannot even be written must not keep those behind it from being sent.
                Effect.matchEffect(
                  Effect.catchAllDefect(attempt(errand), (defect) => Effect.fail(new Error(String(defect)))),
                  {
                    onFailure: ({ message }) => later(errand, message),
                    onSuccess: () => outbox.done(errand)
                  }
                ))
              return due.length
            })
        })
      })
    )
}

/** News that later news has made untrue; the guest gets only that, also when this was delayed behind it. */
const isOvertaken = (kind: ErrandKind, { status }: Booking): boolean =>
  (status === "cancelled" && kind !== "mail.cancelled") || (status === "confirmed" && kind === "mail.held")
