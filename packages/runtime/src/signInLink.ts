import { notFound } from "@trailbook/core"
import { StaffMembers, StaffSessions } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"

/** Creates a single-use link, valid for 15 minutes, that signs a staff member in. */
export const makeSignInLink = (orgId: string, email: string, publicUrl: string) =>
  Effect.gen(function*() {
    const all = yield* (yield* StaffMembers).list(orgId)
    const member = all.find((one) => one.email === email)
    if (member === undefined) return yield* notFound("staff member", email)
    const secret = yield* (yield* StaffSessions).link({ orgId, staffId: member.id })
    return `${publicUrl}/sign-in/${secret}`
  })
