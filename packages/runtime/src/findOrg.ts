import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

/** Finds an org by slug or ID. */
export const findOrg = (slugOrId: string): Effect.Effect<Option.Option<Org>, never, OrgStore> =>
  Effect.flatMap(OrgStore, (store) =>
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(slugOrId)
      ? store.find(slugOrId.toLowerCase())
      : store.findBySlug(slugOrId))
