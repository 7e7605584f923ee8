import { notFound } from "@trailbook/core"
import { ApiKeys } from "@trailbook/core/actor"
import { Orgs } from "@trailbook/core/org"
import { ApiKeyManagement, AuditLog, StaffMembers, StaffSessions } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { storageLayer } from "./loadAdapter.ts"
import * as NodeIds from "./NodeIds.ts"
import type { DatabaseUrl } from "./setting/databaseUrl.ts"

/**
 * Returns the services for the commands that manage orgs, staff, and keys. They load faster than a full server. The
 * commands can run alongside a running server, because SQLite and Postgres allow several processes to write.
 */
export const accountsLayer = (database: DatabaseUrl) =>
  Layer.mergeAll(
    Orgs.layer,
    Layer.provide(Layer.mergeAll(StaffSessions.layer, StaffMembers.layer, ApiKeyManagement.layer), AuditLog.layer)
  ).pipe(
    Layer.provideMerge(ApiKeys.layer),
    Layer.provideMerge(storageLayer(database)),
    Layer.provide(NodeIds.layer)
  )

/** Creates a single-use sign-in link for a staff member, valid for 15 minutes. */
export const makeSignInLink = (orgId: string, email: string, publicUrl: string) =>
  Effect.gen(function*() {
    const all = yield* (yield* StaffMembers).list(orgId)
    const member = all.find((one) => one.email === email)
    if (member === undefined) return yield* notFound("staff member", email)
    const secret = yield* (yield* StaffSessions).link({ orgId, staffId: member.id })
    return `${publicUrl}/sign-in/${secret}`
  })
