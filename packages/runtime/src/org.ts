import { Orgs, OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { UnitOfWork } from "@trailbook/core/port"
import { ApiKeyManagement, type AuditActor, StaffMembers } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

/** Creates an org with its first API key. This is the only time that the full key is returned. */
export const createOrg = (
  details: Omit<NewOrg, "by">
): Effect.Effect<
  { readonly org: Org; readonly token: string },
  never,
  ApiKeyManagement | Orgs | StaffMembers | UnitOfWork
> =>
  Effect.gen(function*() {
    const keys = yield* ApiKeyManagement
    const { run } = yield* UnitOfWork
    // Use one transaction, because a failure between the two writes would leave an org without a key.
    return yield* run(Effect.gen(function*() {
      const org = yield* createOrgWithStaff({ ...details, by })
      const { token } = yield* Effect.orDie(keys.create({ orgId: org.id, name: "First key", by }))
      return { org, token }
    }))
  })

const by = { _tag: "Operator" } as const

/**
 * The details of a new org. The person with the address `email` becomes a staff member, and the one with the address
 * `owner` becomes an owner.
 */
type NewOrg = Parameters<Orgs["Type"]["create"]>[0] & {
  readonly email?: string | undefined
  readonly owner?: string | undefined
  /** The actor in the audit log. */
  readonly by: AuditActor
}

/** Creates an org with its first staff members in one transaction. */
export const createOrgWithStaff = (
  { by, email, owner, ...details }: NewOrg
): Effect.Effect<Org, never, Orgs | StaffMembers | UnitOfWork> =>
  Effect.gen(function*() {
    const orgs = yield* Orgs
    const staff = yield* StaffMembers
    const { run } = yield* UnitOfWork
    return yield* run(
      // A new org has no staff members, so adding the first ones cannot be refused.
      Effect.tap(orgs.create(details), ({ id: orgId }) =>
        Effect.orDie(Effect.gen(function*() {
          if (email !== undefined) yield* staff.add({ orgId, email, by })
          if (owner !== undefined) yield* staff.add({ orgId, email: owner, role: "owner", by })
        })))
    )
  })

/** Finds an org by slug or ID. */
export const findOrg = (slugOrId: string): Effect.Effect<Option.Option<Org>, never, OrgStore> =>
  Effect.flatMap(OrgStore, (store) =>
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(slugOrId)
      ? store.find(slugOrId.toLowerCase())
      : store.findBySlug(slugOrId))
