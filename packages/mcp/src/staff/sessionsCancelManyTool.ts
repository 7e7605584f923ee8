import type { Refusal } from "@trailbook/core"
import * as Operation from "@trailbook/core/operation/Operation"
import { sessionsCancel, SessionView } from "@trailbook/core/session"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeStaffTool } from "./staffTool.ts"

export const sessionsCancelManyOperation = Operation.make("sessions.cancel_many", {
  route: ["POST", "/desk/sessions/cancel"],
  summary: "Cancel several class sessions and all their bookings.",
  input: Schema.Struct({ ids: Field.withDescription("the sessions", Field.nonEmptyList(Field.uuid, 50)) }),
  output: Schema.Struct({ data: Field.withDescription("the canceled sessions", Schema.Array(SessionView)) }),
  hints: { destructive: true, openWorld: true, idempotent: true },
  tool: {
    title: "Cancel several sessions",
    toolset: "catalog",
    description: "Cancels up to 50 sessions and all their bookings, emails the guests, and refunds them in full. " +
      "Shows one preview first. Cannot be undone. Safe to retry."
  }
})

/**
 * Stops at the first refusal. Calling the tool again picks up where it stopped, because canceling a canceled session
 * changes nothing.
 */
export const sessionsCancelManyTool = makeStaffTool(
  sessionsCancelManyOperation,
  (call, actor, { ids }) =>
    Effect.gen(function*() {
      const data: Array<typeof SessionView.Type> = []
      let refusal: Refusal | undefined
      for (const id of new Set(ids)) {
        const session = yield* Effect.either(call(actor, sessionsCancel, { id }))
        if (session._tag === "Left") {
          refusal = session.left
          break
        }
        data.push(session.right)
      }
      if (refusal === undefined) return { answer: { data } }
      if (data.length === 0) return yield* refusal
      return {
        answer: { data },
        notes: [
          `Only these ${data.length} of ${ids.length} sessions were canceled before this error occurred: ` +
          refusal.message
        ]
      }
    })
)
