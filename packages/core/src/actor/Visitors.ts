import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrgStore } from "../org/OrgStore.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import type { Visitor } from "./Actor.ts"

/**
 * @category services
 */
export class Visitors extends Context.Tag("@trailbook/core/Visitors")<
  Visitors,
  {
    /** Whoever opens the booking page of this slug, which need not be one. */
    readonly at: (slug: string) => Effect.Effect<Visitor, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(
    Visitors,
    Effect.map(OrgStore, ({ findBySlug }) =>
      Visitors.of({
        at: (slug) => {
          const missing = notFound("booking page", slug.slice(0, maxLength))
          if (!isSlug(slug)) return missing
          return Effect.mapBoth(Effect.flatten(findBySlug(slug)), {
            onFailure: () => missing,
            onSuccess: ({ id: orgId }): Visitor => ({ _tag: "Visitor", orgId, scopes })
          })
        }
      }))
  )
}

const scopes = new Set(["visit"] as const)

const maxLength = 80

const isSlug = (text: string): boolean => text.length <= maxLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
