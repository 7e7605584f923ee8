import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Decider, hasChanges } from "../Decider.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import * as Event from "../port/Event.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import { placeholderEmailHost } from "../wire/addresses.ts"
import type { Position } from "../wire/Cursor.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { exampleIds, guestId, Id, Metadata, personal, Timestamp } from "../wire/View.ts"

/**
 * An org's guest. `email` is unique within the org, except among erased customers. A walk-in guest without an address
 * has a placeholder (see `makePlaceholderEmail`).
 */
export interface Customer {
  readonly id: string
  readonly orgId: string
  readonly email: string
  readonly name: string
  readonly phone: string
  readonly notes: string
  readonly metadata: typeof Metadata.Type
  readonly createdAt: Instant
  /** When the guest first opened a link emailed to this address. */
  readonly provenAt: Instant | null
  /** The recent emails that count toward the hourly limit, `maxUnprovenMails`. */
  readonly unprovenMails: ReadonlyArray<UnprovenMail>
  /** When the guest was erased on request. Null if the guest has not been erased. */
  readonly erasedAt: Instant | null
}

export interface UnprovenMail {
  readonly taskId: string
  readonly at: Instant
}

/** The fields that an update sets. `email` can only replace the placeholder for a guest without an address. */
export type CustomerPatch = Partial<Pick<Customer, "email" | "name" | "phone" | "notes" | "metadata">>

/** The contact details from a booking form. A walk-in's email can be empty. */
export type ContactDetails = Pick<Customer, "email"> & Partial<Pick<Customer, "name" | "phone">>

export const make = (fields: Pick<Customer, "id" | "orgId" | "email" | "createdAt"> & CustomerPatch): Customer => ({
  name: "",
  phone: "",
  notes: "",
  metadata: {},
  provenAt: null,
  unprovenMails: [],
  erasedAt: null,
  ...fields
})

/**
 * Returns the placeholder that is stored for a guest without an email address. No mail server accepts the placeholder's
 * domain (RFC 2606). Requests with this domain are invalid, and views show an empty email.
 */
export const makePlaceholderEmail = (id: string): string => `walk-in-${id}@${placeholderEmailHost}`

export const hasPlaceholderEmail = ({ email }: Pick<Customer, "email">): boolean =>
  email.endsWith(`@${placeholderEmailHost}`)

/** Returns the email address to display or send to, or an empty string if the guest has no address or was erased. */
export const getContactEmail = (customer: Pick<Customer, "email">): string =>
  hasPlaceholderEmail(customer) ? "" : customer.email

export type CustomerCommand =
  | { readonly _tag: "Add" }
  | { readonly _tag: "Edit"; readonly patch: CustomerPatch }
  | { readonly _tag: "Erase"; readonly now: Instant }

export type CustomerEvent =
  | { readonly _tag: "customer.updated"; readonly patch: CustomerPatch }
  | { readonly _tag: "customer.deleted"; readonly at: Instant }

type Decisions = Decider<
  Customer,
  CustomerCommand,
  CustomerEvent,
  { Add: never; Edit: Refusal<"customer_erased">; Erase: never }
>

const decide: Decisions["decide"] = {
  Add: () => Either.right([{ _tag: "customer.updated", patch: {} }]),
  Edit: (customer, { patch }) => {
    if (customer.erasedAt !== null) return Either.left(refuse("customer_erased"))
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

/**
 * The state machine for a customer. Neither an edit that changes nothing nor a repeated erasure produces an event. An
 * erasure is final.
 */
export const customerDecider: Decisions = { decide, evolve }

/**
 * Stores customers. A customer must reference an existing org, and email addresses are unique within the org, except
 * among erased customers. A write that violates these rules fails as a defect and stores nothing.
 */
export class CustomerStore extends Context.Tag("@trailbook/core/CustomerStore")<
  CustomerStore,
  {
    /**
     * Returns each customer once, in any order, even if its key is repeated. Erased customers are included. Unknown
     * keys are skipped.
     */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Customer>>
    /** Like `find`, but locks the customers in ID order until the transaction ends. */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Customer>>
    /**
     * Finds the customers with these email addresses, except erased customers, and locks them in ID order until the
     * transaction ends. Returns each customer once, in any order. The addresses must be lowercase and are compared
     * exactly.
     */
    readonly lockByEmail: (
      keys: ReadonlyArray<{ readonly orgId: string; readonly email: string }>
    ) => Effect.Effect<ReadonlyArray<Customer>>
    /**
     * Lists customers, newest first, starting after a position. `q` searches the customers' words and their booking
     * references (`customerSearch.ts`).
     */
    readonly list: (query: {
      readonly orgId: string
      readonly q?: string | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Customer>>
    /** Inserts or replaces customers by key. The keys must be distinct. */
    readonly put: (customers: ReadonlyArray<Customer>) => Effect.Effect<void>
  }
>() {}

/** A customer as the API returns it. */
export const CustomerView = Schema.Struct({
  id: withDescription("its ID", guestId(Id), exampleIds.customer),
  org_id: withDescription("the outfitter", Id, exampleIds.org),
  email: withDescription(
    "the lowercase email address, unique per guest, or empty for a walk-in without an address",
    personal(Schema.String),
    "ada@example.com"
  ),
  name: withDescription("their name", personal(Schema.String), "Ada Park"),
  phone: withDescription("their phone number", personal(Schema.String), "+1 719 555 0142"),
  notes: withDescription("the outfitter's notes", personal(Schema.String), ""),
  metadata: withDescription("custom JSON data", personal(Metadata)),
  created_at: withDescription("when it was created", Timestamp, "2027-04-12T18:03:11.482Z")
}).annotations({ identifier: "Customer" })
export type CustomerView = typeof CustomerView.Type

const view = makeViewMapper(CustomerView)

export const customerView = (customer: Customer): CustomerView =>
  view({ ...customer, email: getContactEmail(customer) })

export const customerEvents = [
  Event.make("customer.updated", { data: CustomerView, when: "A customer is added or changed." }),
  Event.make("customer.deleted", {
    data: CustomerView,
    when: "A customer's personal data is erased at their request. Delete your copies too.",
    extraData: "empty strings in place of personal data"
  })
] as const
