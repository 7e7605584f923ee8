import type { Booking, Client, Org, Result } from "@trailbook/client"
import { expectTypeOf, it } from "vitest"

it("types a call with the operation's input and output", () => {
  expectTypeOf<Client["bookings"]["create"]>().returns.toEqualTypeOf<Promise<Booking>>()
  expectTypeOf<Client["bookings"]["create"]>().parameter(0).toHaveProperty("offering_id").toEqualTypeOf<string>()
  expectTypeOf<Client["try"]["org"]["get"]>().returns.toEqualTypeOf<Promise<Result<Org>>>()
})

it("requires required fields, and allows optional ones to be omitted or undefined", () => {
  expectTypeOf<[]>().not.toExtend<Parameters<Client["bookings"]["get"]>>()
  expectTypeOf<[]>().toExtend<Parameters<Client["bookings"]["list"]>>()
  expectTypeOf<[]>().toExtend<Parameters<Client["org"]["get"]>>()
  expectTypeOf<[{ name: string }]>().not.toExtend<Parameters<Client["org"]["get"]>>()
  expectTypeOf<[{ status: undefined }]>().toExtend<Parameters<Client["bookings"]["list"]>>()
})

it("offers iteration of paginated lists only", () => {
  expectTypeOf<ReturnType<Client["bookings"]["all"]>>().toEqualTypeOf<AsyncIterable<Booking>>()
  expectTypeOf<Client["events"]>().toHaveProperty("all")
  expectTypeOf<Client["webhooks"]>().not.toHaveProperty("all")
  expectTypeOf<Client["org"]>().not.toHaveProperty("all")
})

it("requires exactly one start and one guest for a booking", () => {
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
