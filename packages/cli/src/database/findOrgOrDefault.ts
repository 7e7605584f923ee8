import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { findOrg } from "@trailbook/runtime/org"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Finds an org by slug or ID. Without a slug or ID, returns the only org in the database. */
export const findOrgOrDefault = (slugOrId: string | undefined): Effect.Effect<Org, OperatorError, OrgStore> =>
  Effect.gen(function*() {
    const org = slugOrId === undefined ? Option.none() : yield* findOrg(slugOrId)
    if (Option.isSome(org)) return org.value
    const all = yield* (yield* OrgStore).all
    const [only, ...others] = all
    if (slugOrId === undefined && only !== undefined && others.length === 0) return only
    const problem = slugOrId !== undefined
      ? `Unknown outfitter ${JSON.stringify(slugOrId)}.`
      : only === undefined
      ? "--org is required."
      : "The database has several outfitters. Choose one with --org."
    return yield* Effect.fail(new OperatorError(`${problem} ${outfittersText(all.map(({ slug }) => slug))}`))
  })

const outfittersText = (slugs: ReadonlyArray<string>): string => {
  if (slugs.length === 0) return "The database has no outfitters. To create an outfitter, run trailbook org create."
  return `Outfitters: ${slugs.slice(0, 5).join(", ")}${slugs.length > 5 ? ` and ${slugs.length - 5} more` : ""}.`
}
