import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrgStore } from "../org/OrgStore.ts"
import { Ids } from "../port/Ids.ts"
import { keyedDigest } from "../port/keyedDigest.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import type { Visitor } from "./Actor.ts"
import { toNetwork } from "./toNetwork.ts"

export class VisitorAccess extends Context.Tag("@trailbook/core/VisitorAccess")<
  VisitorAccess,
  {
    /**
     * Returns the actor for a visitor to the booking page with this slug. `address` is the client's address, if the
     * server knows it.
     */
    readonly at: (slug: string, address?: string) => Effect.Effect<Visitor, Refusal<"not_found">>
    /** Signs a string with an org's secret. */
    readonly sign: (orgId: string, text: string) => Effect.Effect<string>
  }
>() {
  static readonly layer = Layer.effect(
    VisitorAccess,
    Effect.map(Effect.all([OrgStore, Ids]), ([{ find, findBySlug }, ids]) =>
      VisitorAccess.of({
        sign: (orgId, text) =>
          Effect.map(Effect.orDie(Effect.flatten(find(orgId))), ({ secret }) => keyedDigest(ids, secret, text)),
        at: (slug, address) => {
          const unknownPage = notFound("booking page", slug.slice(0, maxLength))
          if (!isSlug(slug)) return unknownPage
          return Effect.mapBoth(Effect.flatten(findBySlug(slug)), {
            onFailure: () => unknownPage,
            onSuccess: ({ id: orgId, secret }): Visitor => ({
              _tag: "Visitor",
              source: "widget",
              orgId,
              scopes,
              ...address === undefined ? {} : { network: keyedDigest(ids, secret, `network ${toNetwork(address)}`) }
            })
          })
        }
      }))
  )
}

const scopes = new Set(["visit"] as const)

const maxLength = 80

const isSlug = (text: string): boolean => text.length <= maxLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
