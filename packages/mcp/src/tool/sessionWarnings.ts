import type { Actor } from "@trailbook/core/actor"
import type { Operation } from "@trailbook/core/operation/Operation"
import { sessionsCreate, sessionsList, sessionsPlan } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type { Call } from "../Calls.ts"
import type { Data } from "./compactResult.ts"

/**
 * Warns about new sessions in the past or at the same time as another session of the class. Such sessions are allowed,
 * but the assistant usually creates them by mistake. A plan skips such start times.
 */
export const sessionWarnings =
  (call: Call) => (actor: Actor["Type"], { name }: Operation.Any, output: Data, now: Instant.Instant) =>
    Effect.gen(function*() {
      if (name === sessionsPlan.name) return planWarnings(output as (typeof sessionsPlan)["output"]["Type"])
      if (name !== sessionsCreate.name) return []
      // The cast is safe, because the registry returns the operation's output.
      const { data } = output as (typeof sessionsCreate)["output"]["Type"]
      const [first] = data
      const last = data.at(-1)
      if (first === undefined || last === undefined) return []
      const { data: sessions } = yield* call(actor, sessionsList, {
        offering_id: first.offering_id,
        status: "scheduled",
        from: first.starts_at,
        to: Instant.format(Instant.addMinutes(Instant.parse(last.starts_at) ?? Instant.min, 1)),
        limit: 500
      })
      const newIds = new Set(data.map(({ id }) => id))
      const takenStarts = new Set(sessions.filter(({ id }) => !newIds.has(id)).map(({ starts_at }) => starts_at))
      const duplicates = data.filter(({ starts_at }) => takenStarts.has(starts_at))
      const pastSessions = data.filter(({ starts_at }) => starts_at < Instant.format(now))
      const undo = (target: string) => `If this was not intended, cancel ${target} with sessions_cancel.`
      return [
        ...(pastSessions.length === 0
          ? []
          : [
            `Warning: ${pastSessions.length} of ${data.length} sessions start in the past. ${undo("those sessions")}`
          ]),
        ...(duplicates.length === 0 ? [] : [
          `Warning: this class already had a session at ${duplicates.length} of ${data.length} starts. ${
            undo("the duplicates")
          }`
        ])
      ]
      // The sessions have already been created, so the result must be returned even if this read fails.
    }).pipe(Effect.catchAllCause(() => Effect.succeed([])))

const planWarnings = ({ existing, past, sessions }: (typeof sessionsPlan)["output"]["Type"]): ReadonlyArray<string> => [
  ...(past === 0 ? [] : [`Warning: ${past} of ${sessions.length} starts are skipped because they are in the past.`]),
  ...(existing === 0
    ? []
    : [`Warning: ${existing} of ${sessions.length} starts are skipped because they already have a session.`])
]
