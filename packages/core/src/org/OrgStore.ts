import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Org } from "./Org.ts"

/**
 * No two orgs have one slug. A second one is not stored: that is a defect.
 *
 * @category ports
 */
export class OrgStore extends Context.Tag("@trailbook/core/OrgStore")<
  OrgStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<Org>>
    /** Finds an org and keeps it from changing until the unit of work ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<Org>>
    readonly findBySlug: (slug: string) => Effect.Effect<Option.Option<Org>>
    /** All orgs, oldest first. For operators; no operation lists orgs. */
    readonly all: Effect.Effect<ReadonlyArray<Org>>
    /** Inserts the org, or replaces the one with its id. */
    readonly put: (org: Org) => Effect.Effect<void>
  }
>() {}
