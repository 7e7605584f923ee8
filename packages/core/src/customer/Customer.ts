/**
 * @since 0.1.0
 */
import type { Instant } from "../time/Instant.ts"
import type { Metadata } from "../wire/Field.ts"

/**
 * A guest of one org (§2.6). Not erased, `email` is unique within the org.
 *
 * @since 0.1.0
 * @category models
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
  /** Set once the person asked to be forgotten (decision 6). */
  readonly erasedAt: Instant | null
}

/**
 * @since 0.1.0
 * @category models
 */
export type CustomerPatch = Partial<Pick<Customer, "name" | "phone" | "notes" | "metadata">>

/**
 * A guest as a booking form knows them.
 *
 * @since 0.1.0
 * @category models
 */
export type Contact = Pick<Customer, "email"> & Partial<Pick<Customer, "name" | "phone">>

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (given: Pick<Customer, "id" | "orgId" | "email" | "createdAt"> & CustomerPatch): Customer => ({
  name: "",
  phone: "",
  notes: "",
  metadata: {},
  erasedAt: null,
  ...given
})
