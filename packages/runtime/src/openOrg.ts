import { Orgs } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { UnitOfWork } from "@trailbook/core/port"
import { type AuditActor, StaffMembers } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"

/**
 * The details of a new org. The person with the address `email` becomes a staff member, and the one with the address
 * `owner` becomes an owner.
 */
export type NewOutfitter = Parameters<Orgs["Type"]["create"]>[0] & {
  readonly email?: string | undefined
  readonly owner?: string | undefined
  /** The actor in the audit log. */
  readonly by: AuditActor
}

/** Creates an org with its first staff members in one transaction. */
export const openOrg = (
  { by, email, owner, ...details }: NewOutfitter
): Effect.Effect<Org, never, Orgs | StaffMembers | UnitOfWork> =>
  Effect.gen(function*() {
    const orgs = yield* Orgs
    const staff = yield* StaffMembers
    const { run } = yield* UnitOfWork
    return yield* run(
      // A new org has no staff members, so adding them cannot be refused.
      Effect.tap(orgs.create(details), ({ id: orgId }) =>
        Effect.orDie(Effect.gen(function*() {
          if (email !== undefined) yield* staff.add({ orgId, email, by })
          if (owner !== undefined) yield* staff.add({ orgId, email: owner, role: "owner", by })
        })))
    )
  })
