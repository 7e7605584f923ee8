/** Checks that no personal data of erased customers is left in their rows, bookings, or events. */
import { type OrgSnapshot, resourceId } from "./OrgSnapshot.ts"

export const erasure = ({ customers, events, messages, records }: OrgSnapshot): ReadonlyArray<string> => {
  const erased = new Set(customers.filter(({ erasedAt }) => erasedAt !== null).map(({ id }) => id))
  return [
    ...customers.filter(({ id }) => erased.has(id)).flatMap((customer) =>
      findLeft(customer).map((field) => `customer ${customer.id} is erased but still has ${field}`)
    ),
    ...records.filter(({ booking }) => erased.has(booking.customerId)).flatMap(({ booking }) =>
      findLeft(booking).map((field) => `booking ${booking.reference} of an erased guest still has ${field}`)
    ),
    ...messages.filter(({ customerId }) => erased.has(customerId ?? "")).flatMap((message) =>
      saying.filter((field) => message[field] !== "" && message[field] !== null)
        .map((field) => `message ${message.id} of an erased guest still has ${field}`)
    ),
    ...events.filter(({ person, type }) => type.startsWith("message.") && erased.has(person ?? "")).flatMap((event) =>
      /"(?:body|text)":""/.test(JSON.stringify(event.data))
        ? []
        : [`event ${event.id} still has text from an erased guest`]
    ),
    ...events.flatMap(({ data, id }) => {
      if (typeof data !== "object" || data === null) return []
      const guest = "customer" in data ? data.customer : "email" in data ? data : undefined
      if (!erased.has(resourceId(guest))) return []
      return [...findLeft(data), ...findLeft(guest)].map((field) =>
        `event ${id} about an erased guest still has ${field}`
      )
    })
  ]
}

const saying = ["subject", "body", "cut", "failure", "mailId"] as const

const personal: ReadonlySet<string> = new Set(["email", "name", "phone", "notes", "staff_notes", "staffNotes"])

const findLeft = (row: unknown): ReadonlyArray<string> => {
  if (typeof row !== "object" || row === null) return []
  return Object.entries(row)
    .filter(([field, value]) =>
      (personal.has(field) && value !== "") ||
      (field === "metadata" && Object.keys(value ?? {}).length > 0)
    )
    .map(([field]) => field)
}
