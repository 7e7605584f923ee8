import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { AssistantCallStore } from "@trailbook/core/assistant/AssistantCallStore"
import { GrantStore } from "@trailbook/core/oauth/GrantStore"
import { OAuthClientStore } from "@trailbook/core/oauth/OAuthClientStore"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { AuditStore } from "@trailbook/core/staff/AuditStore"
import { PasskeyStore } from "@trailbook/core/staff/passkey/PasskeyStore"
import type { StaffSession } from "@trailbook/core/staff/sign-in/StaffSession"
import { StaffSessionStore } from "@trailbook/core/staff/sign-in/StaffSessionStore"
import { StaffStore } from "@trailbook/core/staff/StaffStore"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, orgKey, putOfOrg, requireRow, type Tables } from "./Tables.ts"

const orgStore = storeLayer(OrgStore, ({ read, write }) => {
  const find = (id: string) => read(({ orgs }) => Table.find(orgs, id))
  return {
    find,
    lock: find,
    findBySlug: (slug) => read(({ orgs }) => Table.findBy(orgs, "slug", slug)),
    all: read(({ orgs }) => [...Table.range(orgs, "created", everyOrg)]),
    put: (org) => write((tables) => ({ ...tables, orgs: Table.put(tables.orgs, org) }))
  }
})

const apiKeyStore = storeLayer(ApiKeyStore, ({ read, write }) => ({
  find: (id) => read(({ apiKeys }) => Table.find(apiKeys, id)),
  list: (orgId) => read(({ apiKeys }) => [...Table.range(apiKeys, "created", orgId)]),
  put: (key) => write((tables) => ({ ...tables, apiKeys: putOfOrg(tables, tables.apiKeys, [key]) })),
  touch: (id, at) =>
    write((tables) => ({ ...tables, apiKeys: Table.change(tables.apiKeys, id, (key) => ({ ...key, lastUsedAt: at })) }))
}))

const staffStore = storeLayer(StaffStore, ({ read, write }) => ({
  list: (orgId) => read(({ staff }) => [...Table.range(staff, "created", orgId)]),
  withEmail: (email) => read(({ staff }) => [...Table.range(staff, "email", email)]),
  put: (member) => write((tables) => ({ ...tables, staff: putOfOrg(tables, tables.staff, [member]) })),
  remove: ({ id, orgId }) => write((tables) => ({ ...tables, staff: Table.remove(tables.staff, orgKey(orgId, id)) }))
}))

const staffSessionStore = storeLayer(StaffSessionStore, ({ read, write }) => ({
  putLink: (link) => write((tables) => ({ ...tables, signInLinks: putOfOrg(tables, tables.signInLinks, [link]) })),
  lockLink: (digest) => read(({ signInLinks }) => Table.find(signInLinks, digest)),
  links: ({ orgId, staffId }) =>
    read(({ signInLinks }) => [...Table.range(signInLinks, "ofPerson", orgKey(orgId, staffId))]),
  put: (login) => write((tables) => ({ ...tables, logins: putOfOrg(tables, tables.logins, [login]) })),
  touch: ({ expiresAt, id, lastUsedAt, orgId }) =>
    write((tables) => ({
      ...tables,
      logins: Table.change(tables.logins, orgKey(orgId, id), (login) => ({ ...login, expiresAt, lastUsedAt }))
    })),
  lock: ({ id, orgId }) => read(({ logins }) => Table.find(logins, orgKey(orgId, id))),
  find: (digest) => read(({ logins }) => Table.findBy(logins, "digest", digest)),
  list: (orgId) => read(({ logins }) => [...Table.range(logins, "created", orgId)]),
  removeOver: (person, before) => write((tables) => without(tables, person, ({ expiresAt }) => expiresAt < before)),
  removeOf: ({ id: staffId, orgId }) => write((tables) => without(tables, { orgId, staffId }, () => true))
}))

const without = (
  tables: Tables,
  { orgId, staffId }: Pick<StaffSession, "orgId" | "staffId">,
  isOver: (row: { readonly expiresAt: Instant }) => boolean
): Tables => ({
  ...tables,
  signInLinks: Table.removeFrom(tables.signInLinks, "ofPerson", orgKey(orgId, staffId), isOver),
  logins: Table.removeFrom(tables.logins, "created", orgId, (login) => login.staffId === staffId && isOver(login))
})

const passkeyStore = storeLayer(PasskeyStore, ({ read, write }) => ({
  put: (passkey) => write((tables) => ({ ...tables, passkeys: putOfOrg(tables, tables.passkeys, [passkey]) })),
  find: (id) => read(({ passkeys }) => Table.findBy(passkeys, "id", id)),
  lock: ({ id, orgId }) => read(({ passkeys }) => Table.find(passkeys, orgKey(orgId, id))),
  list: (orgId) => read(({ passkeys }) => [...Table.range(passkeys, "created", orgId)]),
  remove: ({ id, orgId }) =>
    write((tables) => ({ ...tables, passkeys: Table.remove(tables.passkeys, orgKey(orgId, id)) })),
  removeOf: ({ id: staffId, orgId }) =>
    write((tables) => ({
      ...tables,
      passkeys: Table.removeFrom(tables.passkeys, "created", orgId, (passkey) => passkey.staffId === staffId)
    })),
  addChallenge: (challenge) => write((tables) => ({ ...tables, challenges: Table.put(tables.challenges, challenge) })),
  lockChallenge: (digest) => read(({ challenges }) => Table.find(challenges, digest)),
  removeChallenge: (digest) => write((tables) => ({ ...tables, challenges: Table.remove(tables.challenges, digest) })),
  removeOver: (before, limit) =>
    write((tables) => ({
      ...tables,
      challenges: Table.removeRows(
        tables.challenges,
        Table.takeFirst(Table.range(tables.challenges, "over", everyOrg, { below: { at: before, id: "" } }), limit)
      )
    }))
}))

const auditStore = storeLayer(AuditStore, ({ read, write }) => ({
  add: (entry) => write((tables) => ({ ...tables, audit: putOfOrg(tables, tables.audit, [entry]) })),
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

const assistantCallStore = storeLayer(AssistantCallStore, ({ read, unitOfWork, write }) => ({
  add: (calls) => write((tables) => ({ ...tables, assistantCalls: putOfOrg(tables, tables.assistantCalls, calls) })),
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
        Table.takeFirst(Table.range(assistantCalls, "over", everyOrg, { below: { at: before, id: "" } }), limit)
      )
      yield* write((tables) => ({ ...tables, assistantCalls: Table.removeRows(tables.assistantCalls, rows) }))
      return rows.length
    }))
}))

const oauthClientStore = storeLayer(OAuthClientStore, ({ read, write }) => ({
  find: (clientId) => read(({ applications }) => Table.find(applications, clientId)),
  put: (application) => write((tables) => ({ ...tables, applications: Table.put(tables.applications, application) })),
  removeUnused: (before, limit) =>
    write((tables) => {
      const old = Table.range(tables.applications, "read", everyOrg, { below: { at: before, id: "" } })
      const unused = [...old].filter(({ clientId }) =>
        Table.takeFirst(Table.range(tables.grants, "ofClient", clientId), 1).length === 0
      )
      return { ...tables, applications: Table.removeRows(tables.applications, unused.slice(0, limit)) }
    })
}))

const grantStore = storeLayer(GrantStore, ({ read, write }) => ({
  put: (grant) => write((tables) => ({ ...tables, grants: putOfOrg(tables, tables.grants, [grant]) })),
  lock: ({ id, orgId }) => read(({ grants }) => Table.find(grants, orgKey(orgId, id))),
  list: (orgId) => read(({ grants }) => [...Table.range(grants, "created", orgId)]),
  isApproved: (clientId) =>
    read(({ grants }) =>
      [...Table.range(grants, "ofClient", clientId)].some(({ withdrawnAt }) => withdrawnAt === null)
    ),
  touch: ({ id, orgId }, lastUsedAt) =>
    write((tables) => ({
      ...tables,
      grants: Table.change(tables.grants, orgKey(orgId, id), (grant) => ({ ...grant, lastUsedAt }))
    })),
  putCode: (code) =>
    write((tables) => {
      requireRow(tables.grants, orgKey(code.orgId, code.grantId))
      return { ...tables, grantCodes: Table.put(tables.grantCodes, code) }
    }),
  lockCode: (digest) => read(({ grantCodes }) => Table.find(grantCodes, digest)),
  putToken: (token) =>
    write((tables) => {
      requireRow(tables.grants, orgKey(token.orgId, token.grantId))
      return { ...tables, grantTokens: Table.put(tables.grantTokens, token) }
    }),
  lockToken: (digest) => read(({ grantTokens }) => Table.find(grantTokens, digest)),
  found: (digest) =>
    read(({ grants, grantTokens }) => {
      const token = Table.get(grantTokens, digest)
      const grant = token && Table.get(grants, orgKey(token.orgId, token.grantId))
      return token && grant ? Option.some({ token, grant }) : Option.none()
    }),
  removeOver: ({ id, orgId }, before) =>
    write((tables) => {
      const of = orgKey(orgId, id)
      const isOver = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt < before
      return {
        ...tables,
        grantCodes: Table.removeFrom(tables.grantCodes, "ofGrant", of, isOver),
        grantTokens: Table.removeFrom(tables.grantTokens, "ofGrant", of, isOver)
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
