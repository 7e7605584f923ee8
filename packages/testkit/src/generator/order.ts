import { sources } from "@trailbook/core/actor"
import type { CreateBooking } from "@trailbook/core/booking"
import * as FastCheck from "effect/FastCheck"
import { email } from "./customer.ts"
import { moment } from "./moment.ts"
import type { OrgData } from "./orgData.ts"
import { text } from "./text.ts"

const maybe = <A>(arbitrary: FastCheck.Arbitrary<A>) => FastCheck.option(arbitrary, { nil: undefined, freq: 3 })

/** Picks the ID of one of these rows, or occasionally a nonexistent ID. */
const oneOf = (rows: ReadonlyArray<{ readonly id: string }>): FastCheck.Arbitrary<string> =>
  FastCheck.oneof(
    { arbitrary: FastCheck.uuid(), weight: 1 },
    ...rows.map(({ id }) => ({ arbitrary: FastCheck.constant(id), weight: 4 }))
  )

/** A booking request to an org. It usually refers to existing rows, but there is not always enough capacity left. */
export const order = (orgId: string, { customers, offerings, sessions }: OrgData): FastCheck.Arbitrary<CreateBooking> =>
  FastCheck.record({
    orgId: FastCheck.constant(orgId),
    source: FastCheck.constantFrom(...sources),
    offeringId: oneOf(offerings),
    sessionId: maybe(oneOf(sessions)),
    startsAt: maybe(moment),
    quantity: FastCheck.integer({ min: 1, max: 12 }),
    periods: maybe(FastCheck.integer({ min: 1, max: 60 })),
    guest: FastCheck.oneof(
      oneOf(customers).map((customerId) => ({ customerId, contact: undefined })),
      FastCheck.record({ email, name: text(120), phone: text(40) }).map((contact) => ({
        customerId: undefined,
        contact
      }))
    ),
    notes: text(2000),
    holdMinutes: maybe(FastCheck.integer({ min: 5, max: 1440 })),
    idempotency: FastCheck.record({ key: FastCheck.uuid(), fingerprint: text(20) })
  }).map(({ guest, ...order }) => ({ ...order, ...guest }))
