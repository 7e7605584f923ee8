import type { BatchOptions } from "@trailbook/core/booking"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Effect from "effect/Effect"

/**
 * Creates an outfitter with an offering that never sells out, and returns a function that books one of its start times.
 */
export const rafting = (batches: BatchOptions) =>
  Effect.gen(function*() {
    const { id: orgId } = yield* createEmptyOrg
    const { call } = yield* Effect.provide(Process.start({ seed: 1, batches }), FakePayments.layer)
    const offering = yield* call(orgId, "offerings.create", { kind: "appointment", name: "Rafting", capacity: 100 })
    const { id } = offering as { readonly id: string }
    const { data: [slot] } = (yield* call(orgId, "availability.get", { id })) as { data: [{ starts_at: string }] }
    return {
      book: (input: { readonly customer: { readonly email: string }; readonly hold_minutes?: number }) =>
        call(orgId, "bookings.create", { offering_id: id, starts_at: slot.starts_at, ...input }),
      call: (name: string, input: unknown) => call(orgId, name, input)
    }
  })
