import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Org } from "./Org.ts"

/** Stores orgs. Slugs are unique. A write that violates this rule fails as a defect. */
export class OrgStore extends Context.Tag("@trailbook/core/OrgStore")<
  OrgStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<Org>>
    /** Finds an org and locks it until the transaction ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<Org>>
    readonly findBySlug: (slug: string) => Effect.Effect<Option.Option<Org>>
    /** Returns all orgs, oldest first. Only the operator uses this query, and no operation lists orgs. */
    readonly all: Effect.Effect<ReadonlyArray<Org>>
    /** Inserts an org, or replaces the org with the same ID. */
    readonly put: (org: Org) => Effect.Effect<void>
  }
>() {}
