import type { Instant } from "../time/Instant.ts"
import { placeholderHost } from "../wire/emailAddress.ts"
import type { Metadata } from "../wire/Field.ts"

/**
 * A guest of one org. `email` is unique within the org, except among erased customers. A walk-in guest without an
 * address has a placeholder, see `placeholderEmail`.
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
  /** When a link that was mailed to the address was first opened. */
  readonly provenAt: Instant | null
  /** Booking emails of the last hour to an address that is not proven, at most `maxUnprovenMails`. */
  readonly unprovenMails: ReadonlyArray<UnprovenMail>
  /** Set once the guest was erased on request. */
  readonly erasedAt: Instant | null
}

export interface UnprovenMail {
  readonly taskId: string
  readonly at: Instant
}

/** `email` only replaces the placeholder of a guest without an address. */
export type CustomerPatch = Partial<Pick<Customer, "email" | "name" | "phone" | "notes" | "metadata">>

/** The contact details of a booking form. The email of a walk-in can be empty. */
export type Contact = Pick<Customer, "email"> & Partial<Pick<Customer, "name" | "phone">>

export const make = (given: Pick<Customer, "id" | "orgId" | "email" | "createdAt"> & CustomerPatch): Customer => ({
  name: "",
  phone: "",
  notes: "",
  metadata: {},
  provenAt: null,
  unprovenMails: [],
  erasedAt: null,
  ...given
})

/**
 * The stored email of a guest without an address. No mail server accepts the domain (RFC 2606), requests with it are
 * invalid, and views show an empty email.
 */
export const placeholderEmail = (id: string): string => `walk-in-${id}@${placeholderHost}`

export const hasPlaceholder = ({ email }: Pick<Customer, "email">): boolean => email.endsWith(`@${placeholderHost}`)

/** Returns the email to show or to write to; empty if the guest has none or was erased. */
export const knownEmail = (customer: Pick<Customer, "email">): string => hasPlaceholder(customer) ? "" : customer.email
