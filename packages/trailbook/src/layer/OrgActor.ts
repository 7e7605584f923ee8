import type { Refusal } from "@trailbook/core"
import { Actor, type ApiKeyScope, makeHostActor, type Source } from "@trailbook/core/actor"
import type { Orgs, OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import type { UnitOfWork } from "@trailbook/core/port"
import type { StaffMembers } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { parseActorDetails } from "../embed/option/parseDetails.ts"
import type { OrgDetails } from "../embed/option/TrailbookOptions.ts"
import { ensureOrg, resolveOrg, type SeveralOrgs } from "../embed/resolveOrg.ts"
import { withoutTenantScope } from "./withoutTenantScope.ts"

/**
 * Provides the actor for an outfitter, with all scopes by default. Pass the outfitter's slug, its ID, or its details.
 * If you pass details and the database has no outfitter, the layer creates one. Once the outfitter exists, the details
 * are ignored. Details can be used only if the database has at most one outfitter.
 *
 * @example
 * import { OrgActor } from "trailbook/effect"
 *
 * const outfitter = OrgActor.layer({ name: "Salida River Co.", timezone: "America/Denver" })
 */
export const layer = (
  org: string | OrgDetails,
  { scopes, source }: {
    /** The permissions. Default: all scopes. */
    readonly scopes?: Iterable<ApiKeyScope>
    /** The source that is stored on bookings. */
    readonly source?: Source
  } = {}
): Layer.Layer<
  Actor,
  Refusal<"not_found" | "invalid_request"> | SeveralOrgs,
  Orgs | OrgStore | StaffMembers | UnitOfWork
> =>
  Layer.effect(
    Actor,
    Effect.zipWith(
      parseActorDetails({ scopes: scopes && [...scopes], source }),
      withoutTenantScope<
        Org,
        Refusal<"not_found" | "invalid_request"> | SeveralOrgs,
        Orgs | OrgStore | StaffMembers | UnitOfWork
      >(
        typeof org === "string" ? resolveOrg(org) : ensureOrg(org)
      ),
      ({ scopes, source }, { id }) => makeHostActor({ orgId: id, source, scopes })
    )
  )
