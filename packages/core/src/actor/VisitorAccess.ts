import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrgStore } from "../org/Orgs.ts"
import { computeKeyedDigest, Ids } from "../port/Ids.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import type { VisitorActor } from "./Actor.ts"

export class VisitorAccess extends Context.Tag("@trailbook/core/VisitorAccess")<
  VisitorAccess,
  {
    /**
     * Returns the actor for a visitor to the booking page with this slug. `address` is the client's address, if the
     * server knows it.
     */
    readonly findVisitor: (slug: string, address?: string) => Effect.Effect<VisitorActor, Refusal<"not_found">>
    /** Signs a string with an org's secret. */
    readonly sign: (orgId: string, text: string) => Effect.Effect<string>
  }
>() {
  static readonly layer = Layer.effect(
    VisitorAccess,
    Effect.map(Effect.all([OrgStore, Ids]), ([{ find, findBySlug }, ids]) =>
      VisitorAccess.of({
        sign: (orgId, text) =>
          Effect.map(Effect.orDie(Effect.flatten(find(orgId))), ({ secret }) => computeKeyedDigest(ids, secret, text)),
        findVisitor: (slug, address) => {
          const unknownPage = notFound("booking page", slug.slice(0, maxLength))
          if (!isSlug(slug)) return unknownPage
          return Effect.mapBoth(Effect.flatten(findBySlug(slug)), {
            onFailure: () => unknownPage,
            onSuccess: ({ id: orgId, secret }): VisitorActor => ({
              _tag: "Visitor",
              source: "widget",
              orgId,
              scopes,
              ...address === undefined
                ? {}
                : { network: computeKeyedDigest(ids, secret, `network ${toNetwork(address)}`) }
            })
          })
        }
      }))
  )
}

const scopes = new Set(["visit"] as const)

const maxLength = 80

const isSlug = (text: string): boolean => text.length <= maxLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)

/**
 * Returns the network of an address. All addresses in a network share a limit. The network is the address itself for
 * IPv4, and the /64 prefix for IPv6. IPv4-mapped IPv6 addresses count as IPv4.
 */
export const toNetwork = (address: string): string => {
  const match = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (match !== null) return match[1] ?? address
  if (!address.includes(":") || address.includes(".")) return address
  const [head = "", tail] = address.toLowerCase().split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const gap = Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(gap).fill("0"), ...after].slice(0, 4).map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":")
}
