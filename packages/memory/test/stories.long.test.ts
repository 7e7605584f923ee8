/**
 * Checks the generated scenarios' coverage. A model run without refusals or expired holds would compare nothing but
 * trivial cases.
 */
import * as Memory from "@trailbook/memory"
import { script } from "@trailbook/testkit/generator/script"
import * as ScriptRunner from "@trailbook/testkit/law/ScriptRunner"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, it } from "vitest"

const expected = [
  "Book: confirmed",
  "Book: customer_erased",
  "Book: held",
  "Book: not_found",
  "Book: offering_paused",
  "Book: slot_full",
  "Book: slot_unavailable",
  "Move: booking_cancelled",
  "Move: confirmed",
  "Move: held",
  "Move: hold_expired",
  "Move: slot_full",
  "Pay: cancelled",
  "Pay: confirmed",
  "Repeat: confirmed",
  "Repeat: held",
  "Repeat: idempotency_conflict",
  "bookings.cancel: cancelled",
  "bookings.confirm: booking_cancelled",
  "bookings.confirm: confirmed",
  "bookings.confirm: hold_expired",
  "bookings.restore: confirmed",
  "bookings.restore: slot_full",
  "bookings.resend: booking_cancelled",
  "bookings.resend: booking_held",
  "bookings.resend: done",
  "bookings.resend: resend_limited",
  "customers.update: customer_erased",
  "offerings.delete: done",
  "offerings.delete: has_bookings",
  "offerings.set_hours: wrong_kind",
  "sessions.cancel: cancelled",
  "sessions.create: wrong_kind"
]

const statusIn = (answer: unknown): string =>
  typeof answer !== "object" || answer === null
    ? "done"
    : "status" in answer
    ? String(answer.status)
    : "booking" in answer
    ? statusIn(answer.booking)
    : "done"

it("the generated scenarios reach every relevant state", async () => {
  const outcomes = new Set<string>()
  const play = Effect.gen(function*() {
    for (const [seed, story] of FastCheck.sample(script(40), { numRuns: 500, seed: 5 }).entries()) {
      const stage = yield* ScriptRunner.open({ orgId: `org-${seed}`, script: story, seed, batches: "none" })
      for (const step of story.steps) {
        const last = (yield* stage.play(step)).at(-1)
        const came = last === undefined ? "done" : "refusal" in last ? last.refusal.code : statusIn(last.answer)
        outcomes.add(`${step._tag === "Call" ? step.name : step._tag}: ${came}`)
      }
    }
  })
  await Effect.runPromise(Effect.provide(Effect.scoped(play), Memory.layer))
  assert.deepStrictEqual(expected.filter((one) => !outcomes.has(one)), [])
})
