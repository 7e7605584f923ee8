/**
 * Limits the emails that visitors to the public page can send to other people's addresses. If the owner of an address
 * has never opened an emailed link, the address gets at most 2 emails per hour about bookings that are not paid online.
 * Further emails are delayed until an hour has passed.
 */
import * as Effect from "effect/Effect"
import type { Booking } from "../booking/Booking.ts"
import { CustomerStore } from "../customer/Customer.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { retryOnConflict, TenantScope, UnitOfWork } from "../port/UnitOfWork.ts"
import type { Task } from "../task/Task.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"

/** The maximum number of emails per hour. */
const maxUnprovenMails = 2

const hourInMinutes = 60

/**
 * Counts the email for a task once, even if the task is retried. Returns the time until which the email is delayed, or
 * undefined if it can be sent now.
 */
export const makeUnprovenMailLimiter = Effect.gen(function*() {
  const customers = yield* CustomerStore
  const { run } = yield* UnitOfWork

  const count = ({ id: taskId }: Pick<Task, "id">, key: OrgKey, alsoProven: boolean) =>
    run(Effect.gen(function*() {
      // Lock the customer so that two workers cannot both send the second email.
      const [customer] = yield* customers.lock([key])
      if (customer === undefined || (customer.provenAt !== null && !alsoProven)) return undefined
      const now = yield* currentTime
      const recent = customer.unprovenMails.filter(({ at }) => at > Instant.addMinutes(now, -hourInMinutes))
      if (recent.some((mail) => mail.taskId === taskId)) return undefined
      const [first] = recent
      if (first !== undefined && recent.length >= maxUnprovenMails) return Instant.addMinutes(first.at, hourInMinutes)
      yield* customers.put([{ ...customer, unprovenMails: [...recent, { taskId, at: now }] }])
      return undefined
    }))

  const delayedUntil = (task: Pick<Task, "id">, key: OrgKey, alsoProven = false) =>
    Effect.provideService(retryOnConflict(count(task, key, alsoProven)), TenantScope, [key.orgId])

  return {
    ofBooking: (task: Pick<Task, "id">, { customerId: id, orgId, paymentIntentId, source, unproven }: Booking) =>
      (source === "widget" || (source === "mcp" && unproven !== null)) && paymentIntentId === null
        ? delayedUntil(task, { orgId, id })
        : Effect.succeed(undefined),
    /**
     * A visitor can request a proof for any address, so these emails count even for a guest who has already proven the
     * address.
     */
    ofProof: (task: Pick<Task, "id">, guest: OrgKey) => delayedUntil(task, guest, true)
  }
})
