import type { Instant } from "../time/Instant.ts"
import type { Metadata } from "../wire/Field.ts"

/** A guest of one org. `email` is unique within the org, except among erased customers. */
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

export type CustomerPatch = Partial<Pick<Customer, "name" | "phone" | "notes" | "metadata">>

/** The contact details of a booking form. */
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
