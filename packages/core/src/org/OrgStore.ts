import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Org } from "./Org.ts"

/** The slug of an org is unique. Storing a duplicate is a defect. */
export class OrgStore extends Context.Tag("@trailbook/core/OrgStore")<
  OrgStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<Org>>
    /** Finds and locks an org until the transaction ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<Org>>
    readonly findBySlug: (slug: string) => Effect.Effect<Option.Option<Org>>
    /** All orgs, oldest first. For operators only; no operation lists orgs. */
    readonly all: Effect.Effect<ReadonlyArray<Org>>
    /** Inserts the org, or replaces the one with its ID. */
    readonly put: (org: Org) => Effect.Effect<void>
  }
>() {}
