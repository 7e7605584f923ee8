import { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import { StaffSessions } from "@trailbook/core/staff/StaffSessions"
import * as Effect from "effect/Effect"

/**
 * A link that signs somebody of the staff in at the address of the service, once, in the
 * next 15 minutes. Nobody of this address is a defect.
 */
export const makeSignInLink = (orgId: string, email: string, publicUrl: string) =>
  Effect.gen(function*() {
    const all = yield* (yield* StaffMembers).list(orgId)
    const member = all.find((one) => one.email === email)
    if (member === undefined) {
      return yield* Effect.dieMessage("Invariant violated: sign-in link for an unknown staff member")
    }
    const secret = yield* (yield* StaffSessions).link({ orgId, staffId: member.id })
    return `${publicUrl}/sign-in/${secret}`
  })
