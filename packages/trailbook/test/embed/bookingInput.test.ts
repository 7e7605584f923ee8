import type { Trailbook } from "trailbook"
import { expectTypeOf, it } from "vitest"

it("the booking input type requires a start and a guest", () => {
  type Wish = Parameters<Awaited<ReturnType<Trailbook["forOrg"]>>["bookings"]["create"]>[0]
  expectTypeOf<{ offering_id: string; starts_at: string; customer: { email: string } }>().toExtend<Wish>()
  expectTypeOf<{ offering_id: string; session_id: string; customer_id: string }>().toExtend<Wish>()
  expectTypeOf<{ offering_id: string; starts_at: string }>().not.toExtend<Wish>()
  expectTypeOf<{ offering_id: string; customer_id: string }>().not.toExtend<Wish>()
})

it("booking input types require the ID and quantity of each rate and extra", () => {
  type Org = Awaited<ReturnType<Trailbook["forOrg"]>>
  type Asked<Input> = Pick<Required<Input>, Extract<"party" | "extras", keyof Input>>
  type Wishes =
    | Asked<Parameters<Org["bookings"]["create"]>[0]>
    | Asked<Parameters<Org["bookings"]["quote"]>[0]>
    | Asked<Parameters<Org["bookings"]["update"]>[0]>
  type Party = Wishes["party"]
  type Extras = Wishes["extras"]
  expectTypeOf<Array<{ rate_id: string; quantity: number }>>().toExtend<Party>()
  expectTypeOf<Array<{ extra_id: string; quantity: number }>>().toExtend<Extras>()
  expectTypeOf<Array<{ quantity: number }>>().not.toExtend<Party>()
  expectTypeOf<Array<{ rate_id: string }>>().not.toExtend<Party>()
  expectTypeOf<Array<{ rate_id: string; quantity: string }>>().not.toExtend<Party>()
  expectTypeOf<Array<{ extra_id: string; quantity: number }>>().not.toExtend<Party>()
  expectTypeOf<Record<string, number>>().not.toExtend<Party>()
  expectTypeOf<Array<{ rate_id: string; quantity: number }>>().not.toExtend<Extras>()
})
