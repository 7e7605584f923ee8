import type { Org } from "@trailbook/core/org/Org"
import { Orgs } from "@trailbook/core/org/Orgs"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import * as Effect from "effect/Effect"

/**
 * What an outfitter's account is opened with. `email` is the first of the staff.
 *
 * @category models
 */
export type Opening = Parameters<Orgs["Type"]["create"]>[0] & { readonly email?: string | undefined }

/**
 * Opens an outfitter's account with the first of its staff, in one unit of work.
 *
 * @category effects
 */
export const openOrg = ({ email, ...given }: Opening): Effect.Effect<Org, never, Orgs | StaffMembers | UnitOfWork> =>
  Effect.gen(function*() {
    const orgs = yield* Orgs
    const staff = yield* StaffMembers
    const { run } = yield* UnitOfWork
    if (email === undefined) return yield* orgs.create(given)
    return yield* run(
      // The org is there, and has nobody yet: nothing can be refused.
      Effect.tap(orgs.create(given), ({ id: orgId }) => Effect.orDie(staff.add({ orgId, email })))
    )
  })
