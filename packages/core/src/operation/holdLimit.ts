/**
 * How many places one address may keep without paying. Who books and does not pay takes them from others for half an
 * hour; with a few at a time nobody empties a departure.
 */
import * as Effect from "effect/Effect"
import { BookingStore } from "../booking/BookingStore.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { Orgs } from "../org/Orgs.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { refuseFor } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"

const most = 3

/** The bookings of a guest that are looked at. */
const looked = 100

/**
 * Refuses what would be one too many; the same request again, by its key, is none. Where nobody pays online nothing is held.
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
