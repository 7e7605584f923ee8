import { Actor, host, type KeyScope, type Source } from "@trailbook/core/actor/Actor"
import type { Org } from "@trailbook/core/org/Org"
import type { Orgs } from "@trailbook/core/org/Orgs"
import type { OrgStore } from "@trailbook/core/org/OrgStore"
import type { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import type { Refusal } from "@trailbook/core/Refusal"
import type { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { parseActorDetails } from "../embed/parseDetails.ts"
import { requireSoleOrg, resolveOrg, type SeveralOrgs } from "../embed/resolveOrgId.ts"
import type { OrgDetails } from "../embed/TrailbookOptions.ts"
import { withoutTenantScope } from "./withoutTenantScope.ts"

/**
 * The outfitter that a program acts for, with every scope: by slug or id, or by
 * what its account is opened with, for a database that has at most one. Once there
 * is one these details are not looked at any more.
 *
 * @example
 * import { OrgActor } from "trailbook/effect"
 *
 * const outfitter = OrgActor.layer({ name: "Salida River Co.", timezone: "America/Denver" })
 */
export const layer = (
  org: string | OrgDetails,
  { scopes, source }: {
    /** What may be done. */
    readonly scopes?: Iterable<KeyScope>
    /** Where it is done, as bookings have it on record. */
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
        typeof org === "string" ? resolveOrg(org) : requireSoleOrg(org)
      ),
      ({ scopes, source: door }, { id }) => host({ orgId: id, door, scopes })
    )
  )
