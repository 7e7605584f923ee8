/**
 * Links with which an assistant downloads an org's export. A link is a signature over its grant and its expiry. Only
 * the use of a link is stored, as a request key, so a link works once even with several servers.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Application } from "../actor/Actor.ts"
import { sameDigest } from "../actor/ApiKey.ts"
import { hasScope } from "../actor/hasScope.ts"
import { Grants } from "../oauth/Grants.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { makeIdempotent } from "../port/idempotent.ts"
import { Ids } from "../port/Ids.ts"
import { keyedDigest } from "../port/keyedDigest.ts"
import { TenantScope } from "../port/TenantScope.ts"
import { Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"

export interface ExportLink {
  /** The path that ends with the token, relative to the public URL. */
  readonly path: string
  readonly expiresAt: Instant.Instant
}

/** The error for a valid link that was used or has expired. */
export class ExportLinkEnded extends Data.TaggedError("ExportLinkEnded")<{ readonly message: string }> {}

export class ExportLinks extends Context.Tag("@trailbook/core/ExportLinks")<
  ExportLinks,
  {
    /** Creates a link. The caller must have checked that the application may export. */
    readonly create: (actor: Application) => Effect.Effect<ExportLink>
    /** Uses a link and returns its actor, with the current permissions. Without `admin`, the link stays unused. */
    readonly open: (
      token: string
    ) => Effect.Effect<Application, Refusal<"not_found" | "forbidden"> | ExportLinkEnded>
  }
>() {
  static readonly layer = Layer.effect(
    ExportLinks,
    Effect.gen(function*() {
      const orgs = yield* OrgStore
      const grants = yield* Grants
      const ids = yield* Ids
      const once = yield* makeIdempotent

      /** Returns the signature, or none if the org does not exist. */
      const sign = (orgId: string, text: string) =>
        Effect.map(
          orgs.find(orgId),
          (found) => Option.map(found, ({ secret }) => keyedDigest(ids, secret, `export ${text}`).slice(0, 40))
        )

      const use = (orgId: string, signature: string) =>
        once.make<boolean, never>(
          { orgId, operation: exportName, key: signature, fingerprint: "", derived: false },
          {
            made: [],
            make: Effect.succeed(true),
            replay: () => Effect.succeed({ over: false, answer: Effect.succeed(false) })
          }
        ).pipe(Effect.orDie)

      return ExportLinks.of({
        create: ({ grantId, orgId }) =>
          Effect.gen(function*() {
            const expires = Math.floor((yield* currentTime) / 1000) + lifetimeSeconds
            const text = `${orgId}.${expires}.${grantId}.${ids.token(12)}`
            const signature = yield* Effect.orDie(Effect.flatten(sign(orgId, text)))
            return { path: `/exports/${text}.${signature}`, expiresAt: Instant.make(expires * 1000) }
          }),
        open: (token) => {
          const [, text = "", orgId = "", expires = "", id = "", signature = ""] = format.exec(token) ?? []
          if (text === "") return unknownLink
          return Effect.gen(function*() {
            const expected = yield* sign(orgId, text)
            if (Option.isNone(expected) || !sameDigest(expected.value, signature)) return yield* unknownLink
            if (Number(expires) * 1000 <= (yield* currentTime)) {
              return yield* new ExportLinkEnded({ message: `This link has expired. ${getAnother}` })
            }
            const actor = yield* grants.find({ orgId, id })
            if (actor === undefined) return yield* revokedAccess
            if (!hasScope(actor, "admin")) return yield* refuse("forbidden", exportName, "admin")
            if (yield* use(orgId, signature)) return actor
            return yield* new ExportLinkEnded({ message: `This link was already used. ${getAnother}` })
          }).pipe(Effect.provideService(TenantScope, [orgId]))
        }
      })
    })
  )
}

const exportName = "org.export"

const lifetimeSeconds = 10 * 60

/** The org, the expiry, the grant, random characters, and the signature. */
const format = /^(([\da-f-]{36})\.(\d{10})\.([\w-]{1,40})\.\w{12})\.([\da-f]{40})$/

const getAnother = "Ask the assistant for another link."

const unknownLink = new Refusal<"not_found">({ code: "not_found", message: "This link does not exist." })

const revokedAccess = new Refusal<"forbidden">({
  code: "forbidden",
  message: "The access of the assistant that created this link was revoked."
})
