/**
 * @since 0.1.0
 */
import type { Customer } from "@trailbook/core/customer/Customer"
import * as FastCheck from "effect/FastCheck"
import { metadata } from "./metadata.ts"
import { moment, momentOrNull } from "./moment.ts"
import { text } from "./text.ts"

/**
 * Addresses of a small town, so that guests share them and one is part of
 * another; with what search patterns read as signs of their own.
 *
 * @since 0.1.0
 * @category generators
 */
export const email: FastCheck.Arbitrary<string> = FastCheck.tuple(
  FastCheck.string({ unit: FastCheck.constantFrom("a", "b", "_", "%", "1", "+"), minLength: 1, maxLength: 4 }),
  FastCheck.constantFrom("a.co", "b.co", "ab.co.uk")
).map(([local, host]) => `${local}@${host}`)

/**
 * A guest that has no org yet; some are erased (decision 6).
 *
 * @since 0.1.0
 * @category generators
 */
export const customer: FastCheck.Arbitrary<Customer> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  email,
  name: text(120),
  phone: text(40),
  notes: text(5000),
  metadata,
  createdAt: moment,
  erasedAt: momentOrNull
}).map((customer) =>
  customer.erasedAt === null ? customer : { ...customer, email: "", name: "", phone: "", notes: "", metadata: {} }
)
