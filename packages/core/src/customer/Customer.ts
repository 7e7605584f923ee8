import type { Instant } from "../time/Instant.ts"
import { placeholderHost } from "../wire/addresses.ts"
import type { Metadata } from "../wire/Field.ts"

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
  readonly metadata: Metadata
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
export const makePlaceholderEmail = (id: string): string => `walk-in-${id}@${placeholderHost}`

export const hasPlaceholderEmail = ({ email }: Pick<Customer, "email">): boolean =>
  email.endsWith(`@${placeholderHost}`)

/** Returns the email address to display or send to, or an empty string if the guest has no address or was erased. */
export const getContactEmail = (customer: Pick<Customer, "email">): string =>
  hasPlaceholderEmail(customer) ? "" : customer.email
