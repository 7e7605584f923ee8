import type { Logins } from "@trailbook/core/staff/Logins"
import * as Effect from "effect/Effect"
import type { Here } from "./Who.ts"

/**
 * Ends what somebody was signed in by. What the program around us opens, it closes itself.
 *
 * @category effects
 */
export const ended = (logins: Logins["Type"], { login: { id, orgId, staffId } }: Here): Effect.Effect<void> =>
  id === "" ? Effect.void : Effect.ignore(logins.end({ orgId, id, by: { _tag: "Staff", staffId } }))
