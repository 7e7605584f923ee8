import { ApiKeys } from "@trailbook/core/actor/ApiKeys"
import type { Org } from "@trailbook/core/org/Org"
import { Orgs } from "@trailbook/core/org/Orgs"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { ApiKeyManagement } from "@trailbook/core/staff/ApiKeyManagement"
import { AuditLog } from "@trailbook/core/staff/AuditLog"
import { StaffSessions } from "@trailbook/core/staff/sign-in/StaffSessions"
import { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Failure } from "../command/CommandError.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import { storage } from "./adapter.ts"
import { findOrg } from "./findOrg.ts"
import * as NodeIds from "./NodeIds.ts"

/**
 * Returns the services for the commands that manage orgs, staff, and keys. They load faster than a server. The commands
 * can run next to a running server, because both databases support several writing processes.
 */
export const accounts = (database: DatabaseUrl) =>
  Layer.mergeAll(
    Orgs.layer,
    Layer.provide(Layer.mergeAll(StaffSessions.layer, StaffMembers.layer, ApiKeyManagement.layer), AuditLog.layer)
  ).pipe(
    Layer.provideMerge(ApiKeys.layer),
    Layer.provideMerge(storage(database)),
    Layer.provide(NodeIds.layer)
  )

/** Finds an org by slug or ID. Without one, returns the only org in the database. */
export const orgIdFromDetails = (slugOrId: string | undefined): Effect.Effect<Org, Failure, OrgStore> =>
  Effect.gen(function*() {
    const found = slugOrId === undefined ? Option.none() : yield* findOrg(slugOrId)
    if (Option.isSome(found)) return found.value
    const all = yield* (yield* OrgStore).all
    const [only, ...others] = all
    if (slugOrId === undefined && only !== undefined && others.length === 0) return only
    const wrong = slugOrId !== undefined
      ? `Unknown outfitter ${JSON.stringify(slugOrId)}.`
      : only === undefined
      ? "--org is required."
      : "The database has several outfitters. Choose one with --org."
    return yield* Effect.fail(new Failure(`${wrong} ${outfittersText(all.map(({ slug }) => slug))}`))
  })

const outfittersText = (slugs: ReadonlyArray<string>): string => {
  if (slugs.length === 0) return "The database has no outfitters. Create one with trailbook org create."
  return `Outfitters: ${slugs.slice(0, 5).join(", ")}${slugs.length > 5 ? ` and ${slugs.length - 5} more` : ""}.`
}
