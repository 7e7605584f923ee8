/**
 * Links that let an assistant download an org's export. A link contains a signature over its grant and its expiry. Only
 * the fact that a link was used is stored, as an idempotency key, so each link works only once, even with several
 * servers. A link counts as used when its export starts, so a link that is opened during another export stays usable.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Actor, type ApplicationActor, hasScope } from "../actor/Actor.ts"
import { isEqualDigest } from "../actor/ApiKey.ts"
import { Grants } from "../oauth/Grants.ts"
import { OrgStore } from "../org/Orgs.ts"
import { type IdempotentRequest, makeIdempotentRunner } from "../port/idempotency.ts"
import { computeKeyedDigest, Ids } from "../port/Ids.ts"
import { TenantScope } from "../port/UnitOfWork.ts"
import { Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"

export interface ExportLink {
  /** The path, relative to the public URL. It ends with the token. */
  readonly path: string
  readonly expiresAt: Instant.Instant
}

/** The error for a valid link that has been used or has expired. */
export class ExportLinkUnusable extends Data.TaggedError("ExportLinkUnusable")<{ readonly message: string }> {}

export class ExportLinks extends Context.Tag("@trailbook/core/ExportLinks")<
  ExportLinks,
  {
    /** Creates a link. The caller must first check that the application may export data. */
    readonly create: (actor: ApplicationActor) => Effect.Effect<ExportLink>
    /** Returns the actor for an unused link, with its current permissions. Does not mark the link as used. */
    readonly open: (
      token: string
    ) => Effect.Effect<ApplicationActor, Refusal<"not_found" | "forbidden"> | ExportLinkUnusable>
    /** Marks the actor's link as used, if the actor has one. Fails if the link was already used. */
    readonly use: (actor: Actor["Type"]) => Effect.Effect<void, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(ExportLinks, Effect.suspend(() => makeExportLinks))
}

const makeExportLinks = Effect.gen(function*() {
  const orgs = yield* OrgStore
  const grants = yield* Grants
  const ids = yield* Ids
  const idempotent = yield* makeIdempotentRunner

  /** Returns the signature, or `None` if the org does not exist. */
  const sign = (orgId: string, text: string) =>
    Effect.map(
      orgs.find(orgId),
      (org) => Option.map(org, ({ secret }) => computeKeyedDigest(ids, secret, `export ${text}`).slice(0, 40))
    )

  const toKeyedRequest = (orgId: string, signature: string): IdempotentRequest => ({
    orgId,
    operation: exportName,
    key: signature,
    fingerprint: "",
    derived: false
  })
  const replay = () => Effect.succeed({ isObsolete: false, result: Effect.succeed(false) })

  return ExportLinks.of({
    create: ({ grantId, orgId }) =>
      Effect.gen(function*() {
        const expiresAtSeconds = Math.floor((yield* currentTime) / 1000) + lifetimeSeconds
        const text = `${orgId}.${expiresAtSeconds}.${grantId}.${ids.token(12)}`
        const signature = yield* Effect.orDie(Effect.flatten(sign(orgId, text)))
        return { path: `/exports/${text}.${signature}`, expiresAt: Instant.make(expiresAtSeconds * 1000) }
      }),
    open: (token) => {
      const [, text = "", orgId = "", expiryText = "", id = "", signature = ""] = tokenPattern.exec(token) ?? []
      if (text === "") return unknownLink
      return Effect.gen(function*() {
        const expected = yield* sign(orgId, text)
        if (Option.isNone(expected) || !isEqualDigest(expected.value, signature)) return yield* unknownLink
        if (Number(expiryText) * 1000 <= (yield* currentTime)) {
          return yield* new ExportLinkUnusable({ message: `This link has expired. ${retryHint}` })
        }
        const actor = yield* grants.find({ orgId, id })
        if (actor === undefined) return yield* revokedAccess
        if (!hasScope(actor, "admin")) return yield* refuse("forbidden", exportName, "admin")
        const previousUse = yield* Effect.orDie(idempotent.known(toKeyedRequest(orgId, signature), replay))
        if (Option.isSome(previousUse)) return yield* new ExportLinkUnusable(usedExportLinkRefusal)
        return { ...actor, exportLink: signature }
      }).pipe(Effect.provideService(TenantScope, [orgId]))
    },
    use: (actor) =>
      actor._tag !== "Application" || actor.exportLink === undefined
        ? Effect.void
        : idempotent.make<boolean, never>(
          toKeyedRequest(actor.orgId, actor.exportLink),
          { createdIds: [], make: Effect.succeed(true), replay }
        ).pipe(
          Effect.orDie,
          Effect.flatMap((isFirst) => isFirst ? Effect.void : usedExportLinkRefusal),
          Effect.provideService(TenantScope, [actor.orgId])
        )
  })
})

const exportName = "org.export"

const lifetimeSeconds = 10 * 60

/** The token format: org ID, expiry, grant ID, random characters, and signature. */
const tokenPattern = /^(([\da-f-]{36})\.(\d{10})\.([\w-]{1,40})\.\w{12})\.([\da-f]{40})$/

const retryHint = "Ask the assistant for a new link."

/** The error for a link that has already started an export. */
export const usedExportLinkRefusal = new Refusal<"not_found">({
  code: "not_found",
  message: `This link has already been used. ${retryHint}`
})

const unknownLink = new Refusal<"not_found">({ code: "not_found", message: "This link does not exist." })

const revokedAccess = new Refusal<"forbidden">({
  code: "forbidden",
  message: "Access was revoked for the assistant that created this link."
})
