import { ApiKeyStore } from "@trailbook/core/actor"
import { AssistantCallStore } from "@trailbook/core/assistant"
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import { OrgStore } from "@trailbook/core/org"
import { AuditStore, PasskeyStore, type StaffSession, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { makeRows, storeLayer, tableLayer } from "./Rows.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, type Tables, toKey, toOrgKey } from "./Tables.ts"

const orgStore = tableLayer(OrgStore, "orgs", (orgs) => ({
  find: orgs.find,
  lock: orgs.find,
  findBySlug: (slug) => orgs.findBy("slug", slug),
  all: orgs.list("created", allOrgsGroup),
  put: orgs.putOne
}))

const apiKeyStore = tableLayer(ApiKeyStore, "apiKeys", (apiKeys) => ({
  find: apiKeys.find,
  list: (orgId) => apiKeys.list("created", orgId),
  put: apiKeys.putOne,
  touch: (id, lastUsedAt) => apiKeys.change(id, (key) => ({ ...key, lastUsedAt }))
}))

const staffStore = tableLayer(StaffStore, "staff", (staff) => ({
  list: (orgId) => staff.list("created", orgId),
  withEmail: (email) => staff.list("email", email),
  put: staff.putOne,
  remove: staff.remove
}))

const staffSessionStore = storeLayer(StaffSessionStore, (database) => {
  const links = makeRows(database, "signInLinks")
  const logins = makeRows(database, "logins")
  return {
    putLink: links.putOne,
    lockLink: links.find,
    links: ({ orgId, staffId }) => links.list("ofPerson", toOrgKey(orgId, staffId)),
    put: logins.putOne,
    touch: ({ expiresAt, lastUsedAt, ...key }) => logins.change(key, (login) => ({ ...login, expiresAt, lastUsedAt })),
    lock: logins.find,
    find: (digest) => logins.findBy("digest", digest),
    list: (orgId) => logins.list("created", orgId),
    removeOver: (person, before) =>
      database.write((tables) => removeSignIns(tables, person, ({ expiresAt }) => expiresAt < before)),
    removeOf: ({ id: staffId, orgId }) =>
      database.write((tables) => removeSignIns(tables, { orgId, staffId }, () => true))
  }
})

const removeSignIns = (
  tables: Tables,
  { orgId, staffId }: Pick<StaffSession, "orgId" | "staffId">,
  isExpired: (row: { readonly expiresAt: Instant }) => boolean
): Tables => ({
  ...tables,
  signInLinks: Table.removeMatching(tables.signInLinks, "ofPerson", toOrgKey(orgId, staffId), isExpired),
  logins: Table.removeMatching(
    tables.logins,
    "created",
    orgId,
    (login) => login.staffId === staffId && isExpired(login)
  )
})

const passkeyStore = storeLayer(PasskeyStore, (database) => {
  const passkeys = makeRows(database, "passkeys")
  const challenges = makeRows(database, "challenges")
  return {
    put: passkeys.putOne,
    find: (id) => passkeys.findBy("id", id),
    lock: passkeys.find,
    list: (orgId) => passkeys.list("created", orgId),
    remove: passkeys.remove,
    removeOf: ({ id, orgId }) => passkeys.removeMatching("created", orgId, ({ staffId }) => staffId === id),
    addChallenge: challenges.putOne,
    lockChallenge: challenges.find,
    removeChallenge: challenges.remove,
    removeOver: (before, limit) =>
      challenges.update((table) =>
        Table.removeRows(table, Table.list(table, "over", allOrgsGroup, { below: Table.toPosition(before), limit }))
      )
  }
})

const auditStore = tableLayer(AuditStore, "audit", (audit, { read }) => ({
  add: audit.putOne,
  page: ({ before, limit, orgId }) => audit.list("at", orgId, { order: "desc", below: before, limit }),
  hasSince: ({ name, orgId, since, subject, what }) =>
    read((tables) => {
      for (const entry of Table.range(tables.audit, "at", orgId, { order: "desc" })) {
        if (entry.at < since) return false
        if (entry.what === what && entry.subject === subject && entry.name === name) return true
      }
      return false
    })
}))

const assistantCallStore = tableLayer(AssistantCallStore, "assistantCalls", (calls) => ({
  add: calls.put,
  list: ({ after, callerId, from, limit, operation, orgId, to }) =>
    calls.list("at", orgId, {
      below: after,
      order: "desc",
      limit,
      where: (call) =>
        (callerId === undefined || call.callerId === callerId) &&
        (operation === undefined || call.operation === operation) &&
        (from === undefined || call.at >= from) &&
        (to === undefined || call.at < to)
    }),
  forget: (before, limit) =>
    Effect.map(
      calls.take(({ assistantCalls }) =>
        Table.list(assistantCalls, "over", allOrgsGroup, { below: Table.toPosition(before), limit })
      ),
      ({ length }) => length
    )
}))

const oauthClientStore = tableLayer(OAuthClientStore, "applications", (applications) => ({
  find: applications.find,
  put: applications.putOne,
  removeUnused: (before, limit) =>
    applications.update((table, { grants }) =>
      Table.removeRows(
        table,
        Table.list(table, "read", allOrgsGroup, {
          below: Table.toPosition(before),
          limit,
          where: ({ clientId }) => Table.list(grants, "ofClient", clientId, { limit: 1 }).length === 0
        })
      )
    )
}))

const grantStore = storeLayer(GrantStore, (database) => {
  const grants = makeRows(database, "grants")
  const codes = makeRows(database, "grantCodes")
  const tokens = makeRows(database, "grantTokens")
  return {
    put: grants.putOne,
    lock: grants.find,
    list: (orgId) => grants.list("created", orgId),
    isApproved: (clientId) =>
      Effect.map(grants.list("ofClient", clientId), (rows) => rows.some(({ withdrawnAt }) => withdrawnAt === null)),
    touch: (key, lastUsedAt) => grants.change(key, (grant) => ({ ...grant, lastUsedAt })),
    putCode: codes.putOne,
    lockCode: codes.find,
    putToken: tokens.putOne,
    lockToken: tokens.find,
    findToken: (digest) =>
      database.read(({ grants, grantTokens }) => {
        const token = Table.get(grantTokens, digest)
        const grant = token && Table.get(grants, toOrgKey(token.orgId, token.grantId))
        return token && grant ? Option.some({ token, grant }) : Option.none()
      }),
    removeExpired: (key, before) =>
      database.write((tables) => {
        const isExpired = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt < before
        return {
          ...tables,
          grantCodes: Table.removeMatching(tables.grantCodes, "ofGrant", toKey(key), isExpired),
          grantTokens: Table.removeMatching(tables.grantTokens, "ofGrant", toKey(key), isExpired)
        }
      })
  }
})

export const layer = Layer.mergeAll(
  orgStore,
  apiKeyStore,
  staffStore,
  staffSessionStore,
  passkeyStore,
  auditStore,
  assistantCallStore,
  oauthClientStore,
  grantStore
)
