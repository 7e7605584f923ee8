/**
 * Limits the mail that visitors of the public page can have sent to strangers: an address whose owner has never opened a
 * mailed link gets 2 mails an hour about bookings of the last day. Further mail is delayed until an hour has passed.
 */
import * as Effect from "effect/Effect"
import type { Booking } from "../booking/Booking.ts"
import { networkSince } from "../booking/unprovenLimits.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { retryOnConflict } from "../port/retryOnConflict.ts"
import { TenantScope } from "../port/TenantScope.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import type { Task } from "../task/Task.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"

/** How many mails leave within an hour. */
const maxUnprovenMails = 2

const hourInMinutes = 60

/**
 * Counts the mail of a task, once however often the task runs, and returns undefined; or returns the moment until which
 * the mail is delayed.
 *
 * @category constructors
 */
export const unprovenMails = Effect.gen(function*() {
  const customers = yield* CustomerStore
  const { run } = yield* UnitOfWork

  const count = ({ id: taskId }: Pick<Task, "id">, { customerId: id, orgId }: Booking) =>
    run(Effect.gen(function*() {
      // Locked, so that two workers do not send the second mail at the same time.
      const [customer] = yield* customers.lock([{ orgId, id }])
      if (customer === undefined || customer.provenAt !== null) return undefined
      const now = yield* currentTime
      const recent = customer.unprovenMails.filter(({ at }) => at > Instant.addMinutes(now, -hourInMinutes))
      if (recent.some((mail) => mail.taskId === taskId)) return undefined
      const [first] = recent
      if (first !== undefined && recent.length >= maxUnprovenMails) return Instant.addMinutes(first.at, hourInMinutes)
      yield* customers.put([{ ...customer, unprovenMails: [...recent, { taskId, at: now }] }])
      return undefined
    }))

  return (task: Pick<Task, "id">, booking: Booking): Effect.Effect<Instant.Instant | undefined> =>
    Effect.gen(function*() {
      const { createdAt, orgId, paymentIntentId, source } = booking
      if (source !== "widget" || paymentIntentId !== null) return undefined
      if (createdAt <= networkSince(yield* currentTime)) return undefined
      return yield* Effect.provideService(retryOnConflict(count(task, booking)), TenantScope, [orgId])
    })
})
