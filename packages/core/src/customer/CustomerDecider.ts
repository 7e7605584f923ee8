/**
 * The state machine for a customer. Neither an edit that changes nothing nor a repeated erasure produces an event. An
 * erasure is final.
 */
import * as Either from "effect/Either"
import { type Decider, hasChanges } from "../Decider.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import type { Customer, CustomerPatch } from "./Customer.ts"

export type CustomerCommand =
  | { readonly _tag: "Add" }
  | { readonly _tag: "Edit"; readonly patch: CustomerPatch }
  | { readonly _tag: "Erase"; readonly now: Instant }

export type CustomerEvent =
  | { readonly _tag: "customer.updated"; readonly patch: CustomerPatch }
  | { readonly _tag: "customer.deleted"; readonly at: Instant }

export type CustomerRefusal = Refusal<"customer_erased">

type Decisions = Decider<Customer, CustomerCommand, CustomerEvent, { Add: never; Edit: CustomerRefusal; Erase: never }>

const decide: Decisions["decide"] = {
  Add: () => Either.right([{ _tag: "customer.updated", patch: {} }]),
  Edit: (customer, { patch }) => {
    if (customer.erasedAt !== null) return Either.left(customerErasedRefusal())
    return Either.right(hasChanges(customer, patch) ? [{ _tag: "customer.updated", patch }] : [])
  },
  Erase: (customer, { now }) => Either.right(customer.erasedAt === null ? [{ _tag: "customer.deleted", at: now }] : [])
}

const evolve = (customer: Customer, event: CustomerEvent): Customer => {
  switch (event._tag) {
    case "customer.updated":
      return { ...customer, ...event.patch }
    case "customer.deleted":
      return {
        ...customer,
        email: "",
        name: "",
        phone: "",
        notes: "",
        metadata: {},
        unprovenMails: [],
        erasedAt: event.at
      }
  }
}

export const customerErasedRefusal = (): CustomerRefusal => refuse("customer_erased")

export const customerDecider: Decisions = { decide, evolve }
