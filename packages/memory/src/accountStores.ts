import { ApiKeyStore } from "@trailbook/core/actor"
import { AssistantCallStore } from "@trailbook/core/assistant"
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import { OrgStore } from "@trailbook/core/org"
import { AuditStore, PasskeyStore, type StaffSession, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, putOrgRows, requireRow, type Tables, toOrgKey } from "./Tables.ts"

const orgStore = storeLayer(OrgStore, ({ read, update }) => {
  const find = (id: string) => read(({ orgs }) => Table.find(orgs, id))
  return {
    find,
    lock: find,
    findBySlug: (slug) => read(({ orgs }) => Table.findBy(orgs, "slug", slug)),
    all: read(({ orgs }) => [...Table.range(orgs, "created", allOrgsGroup)]),
    put: (org) => update("orgs", (orgs) => Table.put(orgs, org))
  }
})

const apiKeyStore = storeLayer(ApiKeyStore, ({ read, update }) => ({
  find: (id) => read(({ apiKeys }) => Table.find(apiKeys, id)),
  list: (orgId) => read(({ apiKeys }) => [...Table.range(apiKeys, "created", orgId)]),
  put: (key) => update("apiKeys", (apiKeys, tables) => putOrgRows(tables, apiKeys, [key])),
  touch: (id, at) => update("apiKeys", (apiKeys) => Table.change(apiKeys, id, (key) => ({ ...key, lastUsedAt: at })))
}))

const staffStore = storeLayer(StaffStore, ({ read, update }) => ({
  list: (orgId) => read(({ staff }) => [...Table.range(staff, "created", orgId)]),
  withEmail: (email) => read(({ staff }) => [...Table.range(staff, "email", email)]),
  put: (member) => update("staff", (staff, tables) => putOrgRows(tables, staff, [member])),
  remove: ({ id, orgId }) => update("staff", (staff) => Table.remove(staff, toOrgKey(orgId, id)))
}))

const staffSessionStore = storeLayer(StaffSessionStore, ({ read, update, write }) => ({
  putLink: (link) => update("signInLinks", (signInLinks, tables) => putOrgRows(tables, signInLinks, [link])),
  lockLink: (digest) => read(({ signInLinks }) => Table.find(signInLinks, digest)),
  links: ({ orgId, staffId }) =>
    read(({ signInLinks }) => [...Table.range(signInLinks, "ofPerson", toOrgKey(orgId, staffId))]),
  put: (login) => update("logins", (logins, tables) => putOrgRows(tables, logins, [login])),
  touch: ({ expiresAt, id, lastUsedAt, orgId }) =>
    update(
      "logins",
      (logins) => Table.change(logins, toOrgKey(orgId, id), (login) => ({ ...login, expiresAt, lastUsedAt }))
    ),
  lock: ({ id, orgId }) => read(({ logins }) => Table.find(logins, toOrgKey(orgId, id))),
  find: (digest) => read(({ logins }) => Table.findBy(logins, "digest", digest)),
  list: (orgId) => read(({ logins }) => [...Table.range(logins, "created", orgId)]),
  removeOver: (person, before) =>
    write((tables) => removeSignIns(tables, person, ({ expiresAt }) => expiresAt < before)),
  removeOf: ({ id: staffId, orgId }) => write((tables) => removeSignIns(tables, { orgId, staffId }, () => true))
}))

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

const passkeyStore = storeLayer(PasskeyStore, ({ read, update }) => ({
  put: (passkey) => update("passkeys", (passkeys, tables) => putOrgRows(tables, passkeys, [passkey])),
  find: (id) => read(({ passkeys }) => Table.findBy(passkeys, "id", id)),
  lock: ({ id, orgId }) => read(({ passkeys }) => Table.find(passkeys, toOrgKey(orgId, id))),
  list: (orgId) => read(({ passkeys }) => [...Table.range(passkeys, "created", orgId)]),
  remove: ({ id, orgId }) => update("passkeys", (passkeys) => Table.remove(passkeys, toOrgKey(orgId, id))),
  removeOf: ({ id: staffId, orgId }) =>
    update(
      "passkeys",
      (passkeys) => Table.removeMatching(passkeys, "created", orgId, (passkey) => passkey.staffId === staffId)
    ),
  addChallenge: (challenge) => update("challenges", (challenges) => Table.put(challenges, challenge)),
  lockChallenge: (digest) => read(({ challenges }) => Table.find(challenges, digest)),
  removeChallenge: (digest) => update("challenges", (challenges) => Table.remove(challenges, digest)),
  removeOver: (before, limit) =>
    update("challenges", (challenges) =>
      Table.removeRows(
        challenges,
        Table.takeFirst(Table.range(challenges, "over", allOrgsGroup, { below: { at: before, id: "" } }), limit)
      ))
}))

const auditStore = storeLayer(AuditStore, ({ read, update }) => ({
  add: (entry) => update("audit", (audit, tables) => putOrgRows(tables, audit, [entry])),
  page: ({ before, limit, orgId }) =>
    read(({ audit }) =>
      Table.takeFirst(
        Table.range(audit, "at", orgId, { order: "desc", below: before }),
        limit
      )
    ),
  hasSince: ({ name, orgId, since, subject, what }) =>
    read(({ audit }) => {
      for (const entry of Table.range(audit, "at", orgId, { order: "desc" })) {
        if (entry.at < since) return false
        if (entry.what === what && entry.subject === subject && entry.name === name) return true
      }
      return false
    })
}))

const assistantCallStore = storeLayer(AssistantCallStore, ({ read, unitOfWork, update }) => ({
  add: (calls) => update("assistantCalls", (assistantCalls, tables) => putOrgRows(tables, assistantCalls, calls)),
  list: ({ after, callerId, from, limit, operation, orgId, to }) =>
    read(({ assistantCalls }) =>
      Table.takeFirst(
        Table.range(assistantCalls, "at", orgId, { below: after, order: "desc" }),
        limit,
        (call) =>
          (callerId === undefined || call.callerId === callerId) &&
          (operation === undefined || call.operation === operation) &&
          (from === undefined || call.at >= from) &&
          (to === undefined || call.at < to)
      )
    ),
  forget: (before, limit) =>
    unitOfWork.run(Effect.gen(function*() {
      const rows = yield* read(({ assistantCalls }) =>
        Table.takeFirst(Table.range(assistantCalls, "over", allOrgsGroup, { below: { at: before, id: "" } }), limit)
      )
      yield* update("assistantCalls", (assistantCalls) => Table.removeRows(assistantCalls, rows))
      return rows.length
    }))
}))

const oauthClientStore = storeLayer(OAuthClientStore, ({ read, update }) => ({
  find: (clientId) => read(({ applications }) => Table.find(applications, clientId)),
  put: (application) => update("applications", (applications) => Table.put(applications, application)),
  removeUnused: (before, limit) =>
    update("applications", (applications, tables) => {
      const oldClients = Table.range(applications, "read", allOrgsGroup, { below: { at: before, id: "" } })
      const unusedClients = [...oldClients].filter(({ clientId }) =>
        Table.takeFirst(Table.range(tables.grants, "ofClient", clientId), 1).length === 0
      )
      return Table.removeRows(applications, unusedClients.slice(0, limit))
    })
}))

const grantStore = storeLayer(GrantStore, ({ read, update, write }) => ({
  put: (grant) => update("grants", (grants, tables) => putOrgRows(tables, grants, [grant])),
  lock: ({ id, orgId }) => read(({ grants }) => Table.find(grants, toOrgKey(orgId, id))),
  list: (orgId) => read(({ grants }) => [...Table.range(grants, "created", orgId)]),
  isApproved: (clientId) =>
    read(({ grants }) =>
      [...Table.range(grants, "ofClient", clientId)].some(({ withdrawnAt }) => withdrawnAt === null)
    ),
  touch: ({ id, orgId }, lastUsedAt) =>
    update("grants", (grants) => Table.change(grants, toOrgKey(orgId, id), (grant) => ({ ...grant, lastUsedAt }))),
  putCode: (code) =>
    update("grantCodes", (grantCodes, tables) => {
      requireRow(tables.grants, toOrgKey(code.orgId, code.grantId))
      return Table.put(grantCodes, code)
    }),
  lockCode: (digest) => read(({ grantCodes }) => Table.find(grantCodes, digest)),
  putToken: (token) =>
    update("grantTokens", (grantTokens, tables) => {
      requireRow(tables.grants, toOrgKey(token.orgId, token.grantId))
      return Table.put(grantTokens, token)
    }),
  lockToken: (digest) => read(({ grantTokens }) => Table.find(grantTokens, digest)),
  findToken: (digest) =>
    read(({ grants, grantTokens }) => {
      const token = Table.get(grantTokens, digest)
      const grant = token && Table.get(grants, toOrgKey(token.orgId, token.grantId))
      return token && grant ? Option.some({ token, grant }) : Option.none()
    }),
  removeExpired: ({ id, orgId }, before) =>
    write((tables) => {
      const group = toOrgKey(orgId, id)
      const isExpired = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt < before
      return {
        ...tables,
        grantCodes: Table.removeMatching(tables.grantCodes, "ofGrant", group, isExpired),
        grantTokens: Table.removeMatching(tables.grantTokens, "ofGrant", group, isExpired)
      }
    })
}))

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
