import { notFound, type Refusal } from "@trailbook/core"
import { type Orgs, OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { UnitOfWork } from "@trailbook/core/port"
import type { StaffMembers } from "@trailbook/core/staff"
import { createOrgWithStaff, findOrg } from "@trailbook/runtime/org"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { parseOrgDetails } from "./option/parseDetails.ts"
import type { OrgDetails } from "./option/TrailbookOptions.ts"

/** Finds an org by slug or ID. Fails with `not_found` if the org does not exist. */
export const resolveOrg = (slugOrId: string): Effect.Effect<Org, Refusal<"not_found">, OrgStore> =>
  Effect.gen(function*() {
    const org = yield* findOrg(slugOrId)
    return Option.isSome(org) ? org.value : yield* notFound("org", slugOrId)
  })

/**
 * Returns the only org in the database, or creates one if there is none. If several processes start on an empty
 * database concurrently, only one org is created.
 */
export const ensureOrg = (
  details: OrgDetails
): Effect.Effect<Org, Refusal<"invalid_request"> | SeveralOrgs, Orgs | OrgStore | StaffMembers | UnitOfWork> =>
  Effect.gen(function*() {
    const { run } = yield* UnitOfWork
    const existingOrg = yield* only
    if (existingOrg !== undefined) return existingOrg
    const parsedDetails = yield* parseOrgDetails(details)
    // If another process creates the org concurrently, the check finds two orgs, or the duplicate slug causes a defect.
    // Either way, this transaction rolls back and the other process's org remains.
    const creation = run(Effect.zipLeft(createOrgWithStaff({ ...parsedDetails, by: { _tag: "Host" } }), only))
    return yield* Effect.catchAllCause(
      creation,
      (cause) => Effect.flatMap(only, (other) => other === undefined ? Effect.failCause(cause) : Effect.succeed(other))
    )
  })

/** Returns the only org in the database. Fails with `NoOrg` if the database has no org. */
export const requireOnlyOrg: Effect.Effect<Org, SeveralOrgs | NoOrg, OrgStore> = Effect.suspend(() =>
  Effect.flatMap(only, (org) => org === undefined ? Effect.fail(new NoOrg()) : Effect.succeed(org))
)

const only = Effect.flatMap(
  Effect.flatMap(OrgStore, ({ all }) => all),
  ([first, ...others]) =>
    others.length === 0 || first === undefined ? Effect.succeed(first) : Effect.fail(new SeveralOrgs(first.slug))
)

export class NoOrg extends Error {
  override readonly name = "NoOrg"
  readonly _tag = "NoOrg"
  constructor() {
    super(
      "org: the database has no outfitter yet, and none can be created inside a transaction. Call org.get() before the " +
        "transaction"
    )
  }
}

export class SeveralOrgs extends Error {
  override readonly name = "SeveralOrgs"
  readonly _tag = "SeveralOrgs"
  constructor(slug: string) {
    super(`org: the database has several outfitters. Set org to the slug of one of them, such as ${slug}`)
  }
}
