import { type Customer, makePlaceholderEmail } from "@trailbook/core/customer/Customer"
import * as FastCheck from "effect/FastCheck"
import { moment, momentOrNull } from "./moment.ts"
import { metadata, text } from "./text.ts"

/**
 * A small set of email addresses, so that customers share addresses and some addresses contain others. Some also
 * contain search pattern wildcards.
 */
export const email: FastCheck.Arbitrary<string> = FastCheck.tuple(
  FastCheck.string({ unit: FastCheck.constantFrom("a", "b", "_", "%", "1", "+"), minLength: 1, maxLength: 4 }),
  FastCheck.constantFrom("a.co", "b.co", "ab.co.uk")
).map(([local, host]) => `${local}@${host}`)

/** Names that differ only in spelling or by one word. */
const name = FastCheck.constantFrom(
  "Elena Rodríguez",
  "elena rodriguez",
  "Rodrigo Elena",
  "Jürgen Weiß",
  "Ann O'Brien",
  "ANN OBRIEN",
  "Søren Łukasz",
  "山田太郎",
  "Nguyễn Route 66"
)

/** One phone number in several formats, and other numbers that share digits with it. */
const phone = FastCheck.constantFrom(
  "719-555-0142",
  "(719) 555 0142",
  "+1 7195550142",
  "5550142",
  "06 12 34 56 78",
  "719-555-0143 ext. 2"
)

/** A customer without an org. Some customers are erased, and some have no email address. */
export const customer: FastCheck.Arbitrary<Customer> = FastCheck.tuple(
  FastCheck.nat({ max: 5 }),
  FastCheck.record({
    id: FastCheck.uuid(),
    orgId: FastCheck.constant(""),
    email,
    name: FastCheck.oneof(text(120), name),
    phone: FastCheck.oneof(text(40), phone),
    notes: text(5000),
    metadata,
    createdAt: moment,
    provenAt: momentOrNull,
    unprovenMails: FastCheck.array(FastCheck.record({ taskId: FastCheck.uuid(), at: moment }), { maxLength: 2 }),
    erasedAt: momentOrNull
  })
).map(([hasNoAddress, customer]) =>
  customer.erasedAt === null
    ? { ...customer, email: hasNoAddress === 0 ? makePlaceholderEmail(customer.id) : customer.email }
    : { ...customer, email: "", name: "", phone: "", notes: "", metadata: {}, unprovenMails: [] }
)
