import { operations } from "@trailbook/core/operation/layer"
import * as Field from "@trailbook/core/wire/Field"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/**
 * What the fields of answers mean. What a field of a request means is declared
 * with it (`Field.means`), and a resource's field of the same name means the
 * same unless it is said here. Looked for as `<operation or resource>.<field>`, then as
 * the field, then as the last part of a field within another.
 */
const words: Readonly<Record<string, string>> = {
  "id": "its id",
  "Idempotency-Key": "stands for `idempotency_key`",
  "Org.name": "the outfitter's name",
  "weekday": "0 is Sunday, 6 is Saturday",
  "start_time": "opens",
  "end_time": "closes; after `start_time`",
  "org_id": "the outfitter",
  "created_at": "when it was made",
  "metadata": "whatever you keep with it",
  "availability.get.data": "by start",
  "ok": "always `true`",

  "name": "what guests read",
  "cancelled": "how many bookings were cancelled",
  "refunded": "how many of those were paid online and are refunded",
  "pending": "how many of those are still being cancelled as this is answered: it goes on by itself",

  "AvailabilitySlot.capacity": "what there is in all",
  "timezone": "the zone of the outfitter's dates and wall times",
  "remaining": "what is left to book; 0 when it is full",
  "session_id": "classes: the session",
  "starts_at": "its start",
  "ends_at": "its end",

  "offering_id": "the offering",
  "Session.capacity": "seats in this session; null is those of the class",
  "BookedSession.capacity": "seats in this session; null is those of the class",
  "booked": "seats booked",
  "status": "its state",

  "Booking.quantity": "seats, people or items",
  "customer_id": "the guest",
  "Booking.customer": "the guest as they are now",
  "notes": "free text for the outfitter",
  "total_cents": "the price, fixed when it was booked",
  "reference": "the short code that the guest sees: 8 characters, no credential",
  "source": "where it was made",
  "cancelled_at": "when it was cancelled",
  "expires_at": "holds: when it stops keeping its place",
  "handle": "the guest's own page is `/b/{handle}`",
  "checkout_url": "where a hold is paid online",
  "paid_at": "when it was paid online",
  "payment_intent_id": "the online payment",
  "previous": "after a move: where it was before",
  "offering": "the offering as it is now",

  "customer.name": "their name",
  "Customer.name": "their name",
  "customers.get.name": "their name",
  "bookings": "their bookings",

  "slug": "the booking page is `/book/{slug}`",

  "next_before": "newest first: pass it as `before` of the next request; left out where nothing came earlier",
  "events.list.data": "what happened",
  "nothing_free": "where no start has room for as many as were asked for",
  "because":
    "why: booking is paused, all are full, they begin inside the notice, beyond the horizon or in the past, a class has no sessions there, it is open too briefly, or closed",
  "next": "the first start with room after the dates asked for, up to half a year on",
  "next_from": "there is more: pass it as `from` of the next request, with the same `to`",
  "next_after": "pass it as `after` of the next request",
  "Event.id": "counts up by one",
  "Event.type": "what happened",
  "Event.data": "the resource after the change",
  "Event.created_at": "when it was decided",

  "webhooks.create.events": "the types that it gets; `*` for all, which is also the default",
  "webhooks.create.active": "always `true`",
  "Webhook.active": "always `true`",
  "Webhook.events": "the types that it gets; `*` for all",
  "last_status": "HTTP status of the last delivery; 0 when there was no answer",
  "last_error": "of what kind the last failure was",
  "last_attempt_at": "when the last delivery was tried",
  "secret": "signs deliveries; shown this one time",

  "plan": "what the outfitter pays for",
  "usage": "of this UTC month",
  "used": "confirmed bookings made",
  "cap": "what the free plan includes; bookings go on past it",
  "pct": "`used` as a percentage of `cap`",

  "OrgExport.version": "of this layout",
  "exported_at": "when it was made",
  "OrgExport.org": "the outfitter",
  "offerings": "all of them",
  "OrgExport.hours": "all weekly hours, each with its offering",
  "sessions": "all of them",
  "customers": "all of them",
  "OrgExport.bookings": "all of them",
  "conversations": "empty in this version",
  "messages": "empty in this version",
  "saved_replies": "empty in this version",
  "automations": "empty in this version",
  "proposals": "empty in this version",
  "webhooks": "all of them, without secrets",
  "OrgExport.events": "the last 1000"
}

const used = new Set<string>()

/** Says what a field means, or fails: a field without words is not in the reference. */
export const wordsOf = (context: string, field: string): string => {
  const last = field.slice(field.lastIndexOf(".") + 1)
  const found = [`${context}.${field}`, field, last].find((key) => key in words)
  if (found !== undefined) used.add(found)
  const said = found === undefined ? declared(context, last) : words[found]
  if (said === undefined) throw new Error(`There are no words for the field ${field} of ${context}`)
  return said
}

/** `Offering.capacity` means what `offerings.create` says of it. */
const declared = (context: string, field: string): string | undefined => {
  const resource = context.replace(/^Booked/, "").toLowerCase().replace(/\..*$/, "")
  const [own, others] = [true, false].map((wanted) =>
    operations.filter(({ name }) => name.startsWith(resource) === wanted && !name.endsWith(".list"))
  )
  for (const { input } of [...own ?? [], ...others ?? []]) {
    const schema = fieldIn(input, field)
    const words = schema === undefined ? undefined : Field.meaningOf(schema)
    if (words !== undefined) return words
  }
  return undefined
}

const fieldIn = ({ ast }: Schema.Schema.AnyNoContext, field: string): Schema.Schema.AnyNoContext | undefined => {
  if (!AST.isTypeLiteral(ast)) return undefined
  const own = ast.propertySignatures.find(({ name }) => name === field)
  return own === undefined ? undefined : Schema.make(own.type)
}

/** Words that no field has asked for: the field is gone, or its name is mistyped. */
export const unused = (): ReadonlyArray<string> => Object.keys(words).filter((key) => !used.has(key))
