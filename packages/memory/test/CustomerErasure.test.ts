import { assert, it } from "@effect/vitest"
import { Payments } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { proposalOf } from "../../../test/proposalOf.ts"

const getId = (answer: unknown): string => (answer as { readonly id: string }).id

it.effect("an erasure discards an edited message even if 501 newer proposals are pending", () =>
  Effect.gen(function*() {
    const { call } = yield* Process.start({ seed: 1, batches: "none" })
    const { id: orgId } = yield* createEmptyOrg
    const customerId = getId(yield* call(orgId, "customers.upsert", { email: "ann@a.co", name: "Ann" }))
    const classId = getId(yield* call(orgId, "offerings.create", { name: "Rafting", kind: "class" }))
    const startsAt = Instant.addMinutes(origin, 24 * 60)
    const { data: [session] } = (yield* call(orgId, "sessions.create", {
      offering_id: classId,
      starts_at: Instant.format(startsAt)
    })) as { readonly data: readonly [{ readonly id: string }] }
    const bookingId = getId(
      yield* call(orgId, "bookings.create", { offering_id: classId, session_id: session.id, customer_id: customerId })
    )
    const draft = { booking_id: bookingId, subject: "Soon", body: "Ann, bring your knee brace" }
    const edited = proposalOf(orgId, origin, {
      expiresAt: startsAt,
      actions: [{
        kind: "remind",
        op: "messages.send",
        input: draft,
        facts: { why: "before_24h", reason: "", ...draft, reworded: true }
      }]
    })
    yield* Store.proposals.add(edited)
    for (let minute = 1; minute <= 501; minute++) {
      yield* Store.proposals.add(proposalOf(orgId, Instant.addMinutes(origin, minute), { expiresAt: startsAt }))
    }

    yield* call(orgId, "customers.delete", { id: customerId })

    assert.notInclude(JSON.stringify(yield* Store.proposals.find([edited])), "knee brace")
  }).pipe(
    Effect.scoped,
    (test) => Effect.flatMap(SettableClock.make(origin), (clock) => Effect.withClock(test, clock)),
    Effect.provide(Layer.fresh(Layer.merge(Memory.layer, Payments.layerNone)))
  ))
