/**
 * Running tasks: what leaves the service after a unit of work has committed.
 * A lane that fails delays its own task only; it is tried again after 1,
 * 2, 4 … minutes, at most 6 hours apart, until it succeeds. Who runs a task
 * holds a lease on it, so no two workers run it at once. A task whose success
 * could not be written down runs again, so it runs at least once; a mail then has
 * the id that it had before.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Booking } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { Payments } from "../booking/Payments.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/OrgStore.ts"
import type { ClaimedTask, Task, TaskKind } from "../task/Task.ts"
import { TaskStore } from "../task/TaskStore.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { compose } from "./compose.ts"
import { Mailer } from "./Mailer.ts"
import { meetingPointOf } from "./MeetingPoint.ts"

/**
 * Who a task has to do with. Tasks of one lane wait when that is slow,
 * and those of the other do not.
 *
 * @category models
 */
export type Lane = "mail" | "payments"

const lanes: Record<TaskKind, Lane> = {
  "mail.held": "mail",
  "mail.confirmed": "mail",
  "mail.moved": "mail",
  "mail.cancelled": "mail",
  refund: "payments"
}

const kinds = Object.keys(lanes) as ReadonlyArray<TaskKind>

/**
 * @category services
 */
export class Tasks extends Context.Tag("@trailbook/core/Tasks")<
  Tasks,
  {
    /** Claims up to `limit` tasks that are due. */
    readonly claim: (lane: Lane, limit: number) => Effect.Effect<ReadonlyArray<ClaimedTask>>
    /**
     * Runs some tasks at the same time and says of each whether it is done or waits to be tried again. What they are
     * about is read together, and those that were done are written down together, within a second: it costs a storage as
     * much as one. Interrupted, the others stay claimed.
     */
    readonly attempt: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<ReadonlyArray<"done" | "postponed">>
    /** Gives tasks back, so that the next worker need not wait for their leases to end. */
    readonly release: (tasks: ReadonlyArray<ClaimedTask>) => Effect.Effect<void>
    /** Runs up to `limit` tasks that are due, one after the other, and says how many there were. */
    readonly run: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = (options: { readonly publicUrl: string }) =>
    Layer.effect(
      Tasks,
      Effect.gen(function*() {
        const bookings = yield* BookingStore
        const mailer = yield* Mailer
        const offerings = yield* OfferingStore
        const orgs = yield* OrgStore
        const taskStore = yield* TaskStore
        const payments = yield* Payments

        /** What each task is about, in their order; `undefined` where that is gone. */
        const read = (tasks: ReadonlyArray<Task>): Effect.Effect<ReadonlyArray<Subject | undefined>> =>
          Effect.gen(function*() {
            const records = yield* bookings.find(tasks.map(({ bookingId: id, orgId }) => ({ orgId, id })))
            const places = yield* offerings.find(
              records.map(({ booking: { offeringId: id, orgId } }) => ({ orgId, id }))
            )
            const outfitters = yield* Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), orgs.find)
            return tasks.map(({ bookingId, orgId }) => {
              const record = records.find(({ booking }) => booking.id === bookingId && booking.orgId === orgId)
              const org = outfitters.flatMap(Option.toArray).find(({ id }) => id === orgId)
              const offering = places.find((place) => place.id === record?.booking.offeringId && place.orgId === orgId)
              return record && org && { record, org, offering }
            })
          })

        /** The same for each by itself: they are read together, or one by one where one of them cannot be read. */
        const readEach = (tasks: ReadonlyArray<Task>) =>
          Effect.map(read(tasks), (subjects) => subjects.map((subject) => Effect.succeed(subject))).pipe(
            Effect.catchAllDefect(() =>
              Effect.succeed(tasks.map((task) => Effect.map(read([task]), ([subject]) => subject)))
            )
          )

        const carryOut = (task: Task, subject: Subject | undefined): Effect.Effect<void, { message: string }> => {
          if (subject === undefined) return Effect.void
          const { offering, org, record } = subject
          if (task.kind === "refund") return payments.refund(record, org)
          // An erased guest has no address left to write to.
          if (record.customer.email === "" || isOvertaken(task.kind, record.booking)) return Effect.void
          const place = offering && meetingPointOf(offering)
          return Effect.asVoid(mailer.send(compose(task, task.kind, record, place, org, options.publicUrl)))
        }

        const later = (task: ClaimedTask, lastError: string) =>
          Effect.gen(function*() {
            const minutes = Math.min(2 ** task.attempts, 360)
            const dueAt = Instant.addMinutes(yield* moment, minutes)
            yield* taskStore.postpone({ ...task, attempts: task.attempts + 1, lastError, dueAt })
            yield* Effect.logWarning("A task failed and is tried again.").pipe(
              Effect.annotateLogs({ task: task.id, kind: task.kind, org_id: task.orgId, in_minutes: minutes })
            )
            return "postponed" as const
          })

        const claim = (kinds: ReadonlyArray<TaskKind>, limit: number) =>
          Effect.flatMap(moment, (now) => taskStore.claim({ kinds, now, limit, leaseMs }))

        const attemptOne = (
          task: ClaimedTask,
          subject: Effect.Effect<Subject | undefined>,
          onDone: (task: ClaimedTask) => void
        ) =>
          // What came of it is written down, whoever wants to end: else a mail that has left would leave again.
          Effect.uninterruptibleMask((restore) =>
            restore(Effect.timeoutFail(Effect.flatMap(subject, (found) => carryOut(task, found)), {
              duration: attemptMs,
              onTimeout: () => tooSlow
            })).pipe(
              // A message that cannot even be written must not keep those behind it from being sent.
              Effect.catchAllDefect((defect) => Effect.fail(new Error(String(defect)))),
              Effect.matchEffect({
                onFailure: ({ message }) => later(task, message),
                onSuccess: () =>
                  Effect.sync(() => {
                    onDone(task)
                    return "done" as const
                  })
              })
            )
          )

        const attempt = (tasks: ReadonlyArray<ClaimedTask>) =>
          Effect.flatMap(readEach(tasks), (subjects) => {
            const done = new Set<ClaimedTask>()
            const each = tasks.map((task, at) => attemptOne(task, subjects[at] ?? nothing, (one) => void done.add(one)))
            const writeDown = Effect.uninterruptible(Effect.suspend(() => {
              const some = [...done]
              if (some.length === 0) return Effect.void
              return Effect.map(taskStore.done(some), () => some.forEach((one) => done.delete(one)))
            }))
            // One that hangs must not be waited for: who is killed meanwhile has sent the others, and they leave again. What
            // cannot be written is tried again, at last when all have ended, and that says so.
            const meanwhile = Effect.forever(
              Effect.delay(Effect.catchAllDefect(writeDown, () => Effect.void), writtenEvery)
            )
            // All at once: one that takes its time keeps no other from ending within its lease.
            return Effect.ensuring(
              Effect.raceFirst(Effect.all(each, { concurrency: "unbounded" }), meanwhile),
              writeDown
            )
          })

        // One at a time: those at the end of a long list would outlive their leases.
        const attemptNext = Effect.flatMap(
          claim(kinds, 1),
          ([task]) => task === undefined ? Effect.succeed(0) : Effect.as(attempt([task]), 1)
        )

        return Tasks.of({
          claim: (lane, limit) => claim(kinds.filter((kind) => lanes[kind] === lane), limit),
          attempt,
          release: taskStore.release,
          run: (limit) =>
            Effect.iterate({ ran: 0, last: 1 }, {
              while: ({ last, ran }) => last > 0 && ran < limit,
              body: ({ ran }) => Effect.map(attemptNext, (last) => ({ ran: ran + last, last }))
            }).pipe(Effect.map(({ ran }) => ran))
        })
      })
    )
}

interface Subject {
  readonly record: BookingRecord
  readonly org: Org
  readonly offering: Offering | undefined
}

const nothing = Effect.succeed(undefined)

/** How long a lane may take over one task; the lease outlasts it. */
const attemptMs = 60_000
const leaseMs = 2 * attemptMs

/** How long one that has ended waits at most for others to be written down with. */
const writtenEvery = "1 second"

const tooSlow = new Error(`It took longer than ${attemptMs / 1000} seconds.`)

/** News that later news has made untrue; the guest gets only that, also when this was delayed behind it. */
const isOvertaken = (kind: TaskKind, { status }: Booking): boolean =>
  (status === "cancelled" && kind !== "mail.cancelled") || (status === "confirmed" && kind === "mail.held")
