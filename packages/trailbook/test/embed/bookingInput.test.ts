import type { Trailbook } from "trailbook"
import { expectTypeOf, it } from "vitest"

it("the type of a booking input requires a start and a guest", () => {
  type Wish = Parameters<Awaited<ReturnType<Trailbook["forOrg"]>>["bookings"]["create"]>[0]
  expectTypeOf<{ offering_id: string; starts_at: string; customer: { email: string } }>().toExtend<Wish>()
  expectTypeOf<{ offering_id: string; session_id: string; customer_id: string }>().toExtend<Wish>()
  expectTypeOf<{ offering_id: string; starts_at: string }>().not.toExtend<Wish>()
  expectTypeOf<{ offering_id: string; customer_id: string }>().not.toExtend<Wish>()
})
