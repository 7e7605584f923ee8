/** `docs/reference/events.md`: every type, when it is written and what its data is. */
import { EventView } from "@trailbook/core/event/EventView"
import { type EventType, eventTypes } from "@trailbook/core/port/EventLog"
import { anchor, code, link, page, table, written } from "./markdown.ts"

type Resource = "Booking" | "Session" | "Offering" | "Customer" | "Org"

interface Meaning {
  readonly when: string
  readonly data: Resource
  readonly with?: string
}

/** A type without its words does not compile. */
const meanings: { readonly [Type in EventType]: Meaning } = {
  "booking.held": {
    when: "A place is held while the guest decides or pays, until `expires_at`.",
    data: "Booking"
  },
  "booking.confirmed": {
    when: "A booking is confirmed, from any surface and in any way: at once, from a hold, or when its payment lands.",
    data: "Booking"
  },
  "booking.moved": {
    when: "A booking moves to another time of its offering.",
    data: "Booking",
    with: "`previous`, the times that it left"
  },
  "booking.cancelled": {
    when:
      "A booking is cancelled: by itself, with its session or offering, or by the service 24 hours after a hold has run out.",
    data: "Booking"
  },
  "session.created": {
    when: "A session of a class is scheduled; one event for each of a weekly repeat.",
    data: "Session"
  },
  "session.cancelled": {
    when: "A session is called off. One `booking.cancelled` for each of its bookings follows.",
    data: "Session"
  },
  "offering.created": { when: "An offering is added.", data: "Offering" },
  "offering.updated": { when: "An offering changes, is paused or is resumed.", data: "Offering" },
  "offering.deleted": { when: "An offering is deleted, after its upcoming bookings were cancelled.", data: "Offering" },
  "offering.hours_updated": {
    when: "The weekly hours of an offering are replaced.",
    data: "Offering",
    with: "`hours`, all of them"
  },
  "customer.updated": { when: "A customer is added or changed.", data: "Customer" },
  "customer.deleted": {
    when: "A customer's personal data is erased on request. Remove what you know of them, too.",
    data: "Customer",
    with: "empty texts in place of what was personal"
  },
  "org.updated": { when: "The outfitter's settings change.", data: "Org" }
}

const order = ["id", "type", "created_at", "data"]

const envelope: Readonly<Record<string, string>> = {
  id: "a whole number. It counts up by one within an outfitter, without gaps",
  type: "one of the types below, or one that is added later",
  created_at: "an instant: when it was decided",
  data: "the resource after the change"
}

export const eventsPage = (): string => {
  const fields = Object.keys(EventView.fields)
  if (fields.some((field) => !order.includes(field))) throw new Error("An event has a field that is not explained")
  return page(
    "# Events",
    "",
    written,
    "",
    "Every change writes an event. Read them with [events.list](operations.md#eventslist), or have them sent to you:",
    "[Receive webhooks](../how-to/receive-webhooks.md). How they are numbered and when they are served: [Events](../concepts/events.md).",
    "",
    table(["field", "value"], order.map((field) => [code(field), envelope[field] ?? ""])),
    "",
    "## Types",
    "",
    table(
      ["type", "written when", "`data`"],
      eventTypes.map((type) => {
        const { data, when, with: beside } = meanings[type]
        const resource = link(data, `operations.md#${anchor(data)}`)
        return [code(type), when, beside === undefined ? resource : `${resource} with ${beside}`]
      })
    ),
    "",
    "Types and fields may be added: ignore those that you do not know. An endpoint may subscribe to types that do not exist yet, and to `*` for all.",
    "",
    "`trailbook webhooks test` sends an event of the type `webhook.test` with the id 0. It stands in no log, and no other event has that id."
  )
}
