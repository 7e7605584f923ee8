import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BookingStore } from "../booking/BookingStore.ts"
import { type BookingRecord, BookingView, bookingView } from "../booking/BookingView.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { largeRowPageSize, makePaginatedHandler, readInPages, smallRowPageSize } from "../port/readInPages.ts"
import { AuditLog, toAuditActor } from "../staff/AuditLog.ts"
import { toCreationPosition, toStartPosition } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { Ok, ok, page } from "../wire/View.ts"
import { CustomerStore, CustomerView, customerView } from "./Customer.ts"
import { Customers } from "./Customers.ts"
import { CustomerErasure } from "./erasure/CustomerErasure.ts"

const patchFields = {
  name: Field.optional(Field.sameAs(CustomerView.fields.name, Field.text({ max: 120 }))),
  phone: Field.optional(Field.sameAs(CustomerView.fields.phone, Field.text({ max: 40 }))),
  notes: Field.optional(Field.sameAs(CustomerView.fields.notes, Field.text({ max: 5000 }))),
  metadata: Field.optional(Field.sameAs(CustomerView.fields.metadata, Field.metadata))
}

export const customersList = Operation.make("customers.list", {
  route: ["GET", "/customers"],
  summary: "List guests, newest first. q searches name, email, phone, and booking references.",
  description:
    "q finds guests who match all search words, in any order, ignoring case, accents, and number formatting. A " +
    "word matches the beginning of a word, any part of the phone number, or a complete booking reference.",
  input: Schema.Struct({
    q: Field.describedOptional(
      "words from the name, email, phone, or booking references, in any order",
      Field.text({ max: 100 })
    ),
    ...Field.paging
  }),
  output: page(CustomerView),
  tool: {
    title: "List guests",
    toolset: "bookings",
    description: "Lists guests, newest first. q searches name, email, phone, and booking references."
  }
})

export const customersUpsert = Operation.make("customers.upsert", {
  route: ["POST", "/customers"],
  summary: "Create a guest, or update the guest with this email. Omitted fields stay the same.",
  input: Schema.Struct({ email: Field.sameAs(CustomerView.fields.email, Field.email), ...patchFields }),
  output: CustomerView,
  refusals: ["customer_erased"],
  hints: { idempotent: true },
  maxBodyBytes: 128 * 1024,
  tool: {
    title: "Create or update a guest",
    toolset: "bookings",
    description: "Creates a guest, or updates the guest with this email. Omitted fields stay the same."
  }
})

export const customersGet = Operation.make("customers.get", {
  route: ["GET", "/customers/:id"],
  summary: "Get a guest with their bookings.",
  input: Schema.Struct({ id: Field.withDescription("the guest", Field.uuid) }),
  output: Schema.Struct({
    ...CustomerView.fields,
    bookings: Field.withDescription("their bookings", Schema.Array(BookingView))
  }),
  refusals: ["not_found"],
  tool: {
    title: "Get a guest",
    toolset: "bookings",
    description: "Returns a guest with all their bookings."
  }
})

export const customersUpdate = Operation.make("customers.update", {
  route: ["PATCH", "/customers/:id"],
  summary: "Change a guest's name, phone, notes, or metadata, or add a walk-in's email.",
  input: Schema.Struct({
    id: Field.withDescription("the guest", Field.uuid),
    email: Field.describedOptional("only for a guest without an email address. Cannot be changed later", Field.email),
    ...patchFields
  }),
  output: CustomerView,
  refusals: ["not_found", "customer_erased", "email_taken"],
  hints: { idempotent: true },
  maxBodyBytes: 128 * 1024,
  tool: {
    title: "Update a guest",
    toolset: "bookings",
    description:
      "Updates a guest. Omitted fields stay the same, and metadata is replaced. email is accepted only for a " +
      "walk-in without an address."
  }
})

export const customersDelete = Operation.make("customers.delete", {
  route: ["DELETE", "/customers/:id"],
  summary: "Erase a guest's personal data at their request. The bookings are anonymized, not deleted. Safe to retry.",
  description:
    "Erases the email, name, phone, notes, and metadata, including in the guest's bookings and in past events. " +
    "Cannot be undone.",
  input: Schema.Struct({ id: Field.withDescription("the guest", Field.uuid) }),
  output: Ok,
  refusals: ["not_found"],
  hints: { destructive: true, idempotent: true },
  tool: {
    title: "Erase a guest",
    toolset: "admin",
    description: "Permanently erases a guest's personal data. Use only at their request. Bookings remain without " +
      "a name. Cannot be undone. Safe to retry."
  }
})

export const customerOperations = [
  customersList,
  customersUpsert,
  customersGet,
  customersUpdate,
  customersDelete
] as const

/**
 * The maximum number of bookings in a response. Only a guest created by a script has this many bookings, so a response
 * normally contains all of a guest's bookings.
 */
const maxBookings = 10_000

const listPage = makePaginatedHandler("customers", largeRowPageSize, toCreationPosition, customerView)
/** Searches use large pages, because each page restarts the search. The search itself yields to the event loop. */
const searchPage = makePaginatedHandler("customers", smallRowPageSize, toCreationPosition, customerView)

export const customerHandlers = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const customers = yield* Customers
  const audit = yield* AuditLog
  const erasures = yield* CustomerErasure
  const store = yield* CustomerStore
  return {
    "customers.list": ({ q, ...paging }, { orgId }) =>
      q === undefined || q === ""
        ? listPage(paging, (after, limit) => store.list({ orgId, q: undefined, after, limit }))
        : searchPage(paging, (after, limit) => store.list({ orgId, q, after, limit })),
    "customers.upsert": ({ email, ...patch }, { orgId }) =>
      Effect.map(customers.upsert(orgId, email, patch), customerView),
    "customers.get": ({ id }, { orgId }) =>
      Effect.gen(function*() {
        const customer = yield* customers.get({ orgId, id })
        const records = yield* readInPages({
          limit: maxBookings,
          atOnce: smallRowPageSize,
          positionOf: ({ booking }: BookingRecord) => toStartPosition(booking),
          read: (after, limit) => bookings.list({ orgId, customerId: id, order: "asc", after, limit })
        })
        return { ...customerView(customer), bookings: records.map(bookingView) }
      }),
    "customers.update": ({ id, ...patch }, { orgId }) =>
      Effect.map(customers.update({ orgId, id }, patch), customerView),
    "customers.delete": ({ id }, actor) => {
      const { orgId } = actor
      const recordErasure = audit.add({
        orgId,
        by: toAuditActor(actor),
        what: "customer.erased",
        subject: id,
        name: ""
      })
      return Effect.as(erasures.erase({ orgId, id }, recordErasure), ok)
    }
  } satisfies OperationHandlers<typeof customerOperations>
})
