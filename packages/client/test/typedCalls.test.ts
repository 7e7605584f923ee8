import type { Booking, Client, Org, Result } from "@trailbook/client"
import { expectTypeOf, it } from "vitest"

it("each client call has the input and output types of its operation", () => {
  expectTypeOf<Client["bookings"]["create"]>().returns.toEqualTypeOf<Promise<Booking>>()
  expectTypeOf<Client["bookings"]["create"]>().parameter(0).toHaveProperty("offering_id").toEqualTypeOf<string>()
  expectTypeOf<Client["try"]["org"]["get"]>().returns.toEqualTypeOf<Promise<Result<Org>>>()
})

it("the client's types require only the required fields", () => {
  expectTypeOf<[]>().not.toExtend<Parameters<Client["bookings"]["get"]>>()
  expectTypeOf<[]>().toExtend<Parameters<Client["bookings"]["list"]>>()
  expectTypeOf<[]>().toExtend<Parameters<Client["org"]["get"]>>()
  expectTypeOf<[{ name: string }]>().not.toExtend<Parameters<Client["org"]["get"]>>()
  expectTypeOf<[{ status: undefined }]>().toExtend<Parameters<Client["bookings"]["list"]>>()
})

it("the client provides list iterators only for paginated lists", () => {
  expectTypeOf<ReturnType<Client["bookings"]["all"]>>().toEqualTypeOf<AsyncIterable<Booking>>()
  expectTypeOf<Client["events"]>().toHaveProperty("all")
  expectTypeOf<Client["webhooks"]>().not.toHaveProperty("all")
  expectTypeOf<Client["org"]>().not.toHaveProperty("all")
})

it("the client requires a booking's guest and its start time or session", () => {
  type Wish = Parameters<Client["bookings"]["create"]>[0]
  expectTypeOf<{ offering_id: string; starts_at: string; customer_id: string }>().toExtend<Wish>()
  expectTypeOf<{ offering_id: string; session_id: string; customer: { email: string } }>().toExtend<Wish>()
  expectTypeOf<{ offering_id: string; starts_at: string }>().not.toExtend<Wish>()
  expectTypeOf<{ offering_id: string; customer_id: string }>().not.toExtend<Wish>()
  expectTypeOf<{ offering_id: string; starts_at: string; session_id: string; customer_id: string }>().not.toExtend<
    Wish
  >()
  expectTypeOf<{ id: string }>().not.toExtend<Parameters<Client["bookings"]["move"]>[0]>()
})
