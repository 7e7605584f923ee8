/**
 * The maximum number of live holds per email address. An unpaid hold blocks its place for half an hour. A low limit
 * keeps a visitor from blocking an entire departure.
 */
import * as Effect from "effect/Effect"
import { BookingStore } from "../booking/BookingStore.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { Orgs } from "../org/Orgs.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { refuseFor } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"

const most = 3

/** The maximum number of a guest's holds that are checked. */
const looked = 100

/**
 * Refuses a request that exceeds the limit. A request with a repeated idempotency key is not counted. Orgs without the
 * pro plan are skipped, because they take no online payments.
 */
export const checkHoldLimit = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const customers = yield* CustomerStore
  const orgs = yield* Orgs
  const { run } = yield* UnitOfWork
  return ({ email, key, orgId }: { readonly orgId: string; readonly email: string; readonly key: string }) =>
    Effect.gen(function*() {
      if ((yield* orgs.get(orgId)).plan !== "pro") return
      const [customer] = yield* run(customers.lockByEmail([{ orgId, email }]))
      if (customer === undefined) return
      const held = yield* bookings.list({
        orgId,
        customerId: customer.id,
        status: "held",
        order: "desc",
        limit: looked
      })
      const now = yield* currentTime
      const live = held.flatMap(({ booking }) => booking.status === "held" && booking.expiresAt > now ? [booking] : [])
      const [first] = live.map(({ expiresAt }) => expiresAt).sort((a, b) => a - b)
      if (live.length < most || first === undefined || live.some(({ idempotency }) => idempotency.key === key)) return
      const wait = Math.ceil((first - now) / 1000)
      yield* refuseFor(wait, "rate_limited", wait)
    })
})
