/**
 * That nothing personal is left of a guest who was erased, neither
 * in their row and bookings nor in what was told of them.
 */
import { idOf, type Ledger } from "./Ledger.ts"

/**
 * @category checking
 */
export const erasure = ({ customers, events, records }: Ledger): ReadonlyArray<string> => {
  const erased = new Set(customers.filter(({ erasedAt }) => erasedAt !== null).map(({ id }) => id))
  return [
    ...customers.filter(({ id }) => erased.has(id)).flatMap((customer) =>
      left(customer).map((field) => `customer ${customer.id} is erased and has ${field}`)
    ),
    ...records.filter(({ booking }) => erased.has(booking.customerId)).flatMap(({ booking }) =>
      left(booking).map((field) => `booking ${booking.reference} of an erased guest has ${field}`)
    ),
    ...events.flatMap(({ data, id }) => {
      if (typeof data !== "object" || data === null) return []
      const guest = "customer" in data ? data.customer : "email" in data ? data : undefined
      if (!erased.has(idOf(guest))) return []
      return [...left(data), ...left(guest)].map((field) => `event ${id} about an erased guest has ${field}`)
    })
  ]
}

const personal: ReadonlySet<string> = new Set(["email", "name", "phone", "notes"])

const left = (row: unknown): ReadonlyArray<string> => {
  if (typeof row !== "object" || row === null) return []
  return Object.entries(row)
    .filter(([field, value]) =>
      (personal.has(field) && value !== "") ||
      (field === "metadata" && Object.keys(value ?? {}).length > 0)
    )
    .map(([field]) => field)
}
