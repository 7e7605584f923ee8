import type { Org } from "@trailbook/core/org/Org"
import { Orgs } from "@trailbook/core/org/Orgs"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import type { AuditActor } from "@trailbook/core/staff/AuditEntry"
import { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import * as Effect from "effect/Effect"

/** What an outfitter's account is opened with. `email` is the first of the staff, `owner` whoever decides in it. */
export type Opening = Parameters<Orgs["Type"]["create"]>[0] & {
  readonly email?: string | undefined
  readonly owner?: string | undefined
  /** Who opens it. */
  readonly by: AuditActor
}

/** Opens an outfitter's account with the first of its staff, in one unit of work. */
export const openOrg = (
  { by, email, owner, ...given }: Opening
): Effect.Effect<Org, never, Orgs | StaffMembers | UnitOfWork> =>
  Effect.gen(function*() {
    const orgs = yield* Orgs
    const staff = yield* StaffMembers
    const { run } = yield* UnitOfWork
    return yield* run(
      // The org is there, and has nobody yet: nothing can be refused.
      Effect.tap(orgs.create(given), ({ id: orgId }) =>
        Effect.orDie(Effect.gen(function*() {
          if (email !== undefined) yield* staff.add({ orgId, email, by })
          if (owner !== undefined) yield* staff.add({ orgId, email: owner, role: "owner", by })
        })))
    )
  })
