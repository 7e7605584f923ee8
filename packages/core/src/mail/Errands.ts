/**
 * Running errands: what leaves the service after a unit of work has committed.
 * A neighbour that fails delays its own errand only; it is tried again after 1,
 * 2, 4 … minutes, at most 6 hours apart, until it succeeds. Who runs an errand
 * holds a lease on it, so no two workers run it at once. An errand whose success
 * could not be written down runs again, so it runs at least once.
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
import { OfferingStore } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { type ClaimedErrand, type Errand, type ErrandKind, Outbox } from "../port/Outbox.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { compose } from "./compose.ts"
import { Mailer } from "./Mailer.ts"
import { meetingPointOf } from "./MeetingPoint.ts"

/**
 * Who an errand has to do with. Errands of one neighbour wait when that is slow,
 * and those of the other do not.
 *
 * @since 0.1.0
 * @category models
 */
export type Neighbour = "mail" | "payments"

const neighbours: Record<ErrandKind, Neighbour> = {
  "mail.held": "mail",
  "mail.confirmed": "mail",
  "mail.moved": "mail",
  "mail.cancelled": "mail",
  refund: "payments"
}

const kinds = Object.keys(neighbours) as ReadonlyArray<ErrandKind>

/**
 * @since 0.1.0
 * @category services
 */
export class Errands extends Context.Tag("@trailbook/core/Errands")<
  Errands,
  {
    /** Claims up to `limit` errands that are due. */
    readonly claim: (neighbour: Neighbour, limit: number) => Effect.Effect<ReadonlyArray<ClaimedErrand>>
    /**
     * Runs some errands at the same time and says of each whether it is done or waits to be tried again. Those that were
     * done are written down together, which costs a storage as much as one. Interrupted, the others stay claimed.
     */
    readonly attempt: (errands: ReadonlyArray<ClaimedErrand>) => Effect.Effect<ReadonlyArray<"done" | "postponed">>
    /** Gives errands back, so that the next worker need not wait for their leases to end. */
    readonly release: (errands: ReadonlyArray<ClaimedErrand>) => Effect.Effect<void>
    /** Runs up to `limit` errands that are due, one after the other, and says how many there were. */
    readonly run: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = (options: { readonly publicUrl: string }) =>
    Layer.effect(
      Errands,
      Effect.gen(function*() {
        const bookings = yield* BookingStore
        const mailer = yield* Mailer
        const offerings = yield* OfferingStore
        const orgs = yield* OrgStore
        const outbox = yield* Outbox
        const payments = yield* Payments

        const carryOut = (errand: Errand) =>
          Effect.gen(function*() {
            const [record] = yield* bookings.find([{ orgId: errand.orgId, id: errand.bookingId }])
            const org = yield* orgs.find(errand.orgId)
            if (record === undefined || Option.isNone(org)) return
            if (errand.kind === "refund") return yield* payments.refund(record, org.value)
            // An erased guest has no address left to write to.
            if (record.customer.email === "") return
            if (isOvertaken(errand.kind, record.booking)) return
            const [offering] = yield* offerings.find([{ orgId: errand.orgId, id: record.booking.offeringId }])
            const place = offering && meetingPointOf(offering)
            yield* mailer.send(compose(errand, errand.kind, record, place, org.value, options.publicUrl))
          })

        const later = (errand: ClaimedErrand, lastError: string) =>
          Effect.gen(function*() {
            const minutes = Math.min(2 ** errand.attempts, 360)
            const dueAt = Instant.addMinutes(yield* moment, minutes)
            yield* outbox.postpone({ ...errand, attempts: errand.attempts + 1, lastError, dueAt })
            yield* Effect.logWarning("An errand failed and is tried again.").pipe(
              Effect.annotateLogs({ errand: errand.id, kind: errand.kind, org_id: errand.orgId, in_minutes: minutes })
            )
            return "postponed" as const
          })

        const claim = (kinds: ReadonlyArray<ErrandKind>, limit: number) =>
          Effect.flatMap(moment, (now) => outbox.claim({ kinds, now, limit, leaseMs }))

        const attemptOne = (errand: ClaimedErrand, onDone: (errand: ClaimedErrand) => void) =>
          // What came of it is written down, whoever wants to end: else a mail that has left would leave again.
          Effect.uninterruptibleMask((restore) =>
            restore(Effect.timeoutFail(carryOut(errand), { duration: attemptMs, onTimeout: () => tooSlow })).pipe(
              // A message that cannot even be written must not keep those behind it from being sent.
              Effect.catchAllDefect((defect) => Effect.fail(new Error(String(defect)))),
              Effect.matchEffect({
                onFailure: ({ message }) => later(errand, message),
                onSuccess: () =>
                  Effect.sync(() => {
                    onDone(errand)
                    return "done" as const
                  })
              })
            )
          )

        const attempt = (errands: ReadonlyArray<ClaimedErrand>) =>
          Effect.suspend(() => {
            const done: Array<ClaimedErrand> = []
            // All at once: one that takes its time keeps no other from ending within its lease.
            return Effect.forEach(errands, (errand) => attemptOne(errand, (one) => void done.push(one)), {
              concurrency: "unbounded"
            }).pipe(Effect.ensuring(Effect.suspend(() => done.length === 0 ? Effect.void : outbox.done(done))))
          })

        // One at a time: those at the end of a long list would outlive their leases.
        const attemptNext = Effect.flatMap(claim(kinds, 1), ([errand]) =>
          errand === undefined ? Effect.succeed(0) : Effect.as(attempt([errand]), 1))

        return Errands.of({
          claim: (neighbour, limit) =>
            claim(kinds.filter((kind) => neighbours[kind] === neighbour), limit),
          attempt,
          release: outbox.release,
          run: (limit) =>
            Effect.iterate({ ran: 0, last: 1 }, {
              while: ({ last, ran }) => last > 0 && ran < limit,
              body: ({ ran }) => Effect.map(attemptNext, (last) => ({ ran: ran + last, last }))
            }).pipe(Effect.map(({ ran }) => ran))
        })
      })
    )
}

/** How long a neighbour may take over one errand; the lease outlasts it. */
const attemptMs = 60_000
const leaseMs = 2 * attemptMs

const tooSlow = new Error(`It took longer than ${attemptMs / 1000} seconds.`)

/** News that later news has made untrue; the guest gets only that, also when this was delayed behind it. */
const isOvertaken = (kind: ErrandKind, { status }: Booking): boolean =>
  (status === "cancelled" && kind !== "mail.cancelled") || (status === "confirmed" && kind === "mail.held")
