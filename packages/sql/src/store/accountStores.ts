import { ApiKeyStore } from "@trailbook/core/actor"
import { AssistantCallStore } from "@trailbook/core/assistant"
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import { OrgStore } from "@trailbook/core/org"
import { AuditStore, PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { storeLayer } from "../Database.ts"
import * as Rows from "../Rows.ts"
import { hasRows, makeFilterConditions, maxPosition, minPosition } from "../statements.ts"
import * as Table from "../Table.ts"
import {
  apiKeyTable,
  assistantCallTable,
  auditTable,
  grantCodeTable,
  grantTable,
  grantTokenTable,
  oauthClientTable,
  orgTable,
  passkeyChallengeTable,
  passkeyTable,
  signInLinkTable,
  staffSessionTable,
  staffTable
} from "../table/accountTables.ts"

const orgStore = Rows.layer(OrgStore, orgTable, "o", (rows) => ({
  find: rows.by("id"),
  lock: rows.lockBy("id"),
  findBySlug: rows.by("slug"),
  all: rows.all(`${rows.select} order by o.created_at, o.id`),
  put: rows.putOne
}))

const apiKeyStore = Rows.layer(ApiKeyStore, apiKeyTable, "k", (rows, { write }) => ({
  // The key determines the org, so this lookup cannot be scoped to an org.
  find: rows.by("id"),
  list: rows.ofOrg,
  put: rows.putOne,
  touch: (id, at) => write(`update ${rows.table} set last_used_at = $2 where id = $1`, [id, at])
}))

const staffStore = Rows.layer(StaffStore, staffTable, "s", (rows, database) => {
  const { dialect, erase } = database
  // This query is not scoped to an org, because a sign-in request names no org.
  const byEmail = `${rows.select} where s.email = $1 order by s.org_id`

  return {
    list: rows.ofOrg,
    withEmail: (email) => rows.all(byEmail, [email]),
    // Use `erase`, so that the database files keep no copy of replaced names and addresses.
    put: Table.makeWriteOne(Table.put({ dialect, write: erase }, staffTable)),
    remove: rows.remove(erase)
  }
})

const staffSessionStore = storeLayer(StaffSessionStore, (database) => {
  const { erase, transaction, write } = database
  const links = Rows.make(database, signInLinkTable, "k")
  const sessions = Rows.make(database, staffSessionTable, "l")
  const linksQuery = `${links.select} where k.org_id = $1 and k.staff_id = $2 order by k.created_at, k.digest`
  const touch = `update ${sessions.table} set last_used_at = $3, expires_at = $4 where org_id = $1 and id = $2`
  const deleteFrom = (table: string, extraCondition = "") =>
    `delete from ${table} where org_id = $1 and staff_id = $2${extraCondition}`
  const expiredOnly = " and expires_at < $3"

  return {
    putLink: links.putOne,
    // The link determines the org, so this lookup cannot be scoped to an org. The same applies to a session token.
    lockLink: links.lockBy("digest"),
    links: ({ orgId, staffId }) => links.all(linksQuery, [orgId, staffId]),
    put: sessions.putOne,
    touch: ({ expiresAt, id, lastUsedAt, orgId }) => write(touch, [orgId, id, lastUsedAt, expiresAt]),
    lock: sessions.lock,
    find: sessions.by("digest"),
    list: sessions.ofOrg,
    removeOver: ({ orgId, staffId }, before) =>
      transaction(Effect.zipRight(
        write(deleteFrom(links.table, expiredOnly), [orgId, staffId, before]),
        write(deleteFrom(sessions.table, expiredOnly), [orgId, staffId, before])
      )),
    removeOf: ({ id, orgId }) =>
      transaction(
        Effect.zipRight(erase(deleteFrom(links.table), [orgId, id]), erase(deleteFrom(sessions.table), [orgId, id]))
      )
  }
})

const passkeyStore = storeLayer(PasskeyStore, (database) => {
  const { erase, write } = database
  const passkeys = Rows.make(database, passkeyTable, "p")
  const challenges = Rows.make(database, passkeyChallengeTable, "c")
  const removeOf = `delete from ${passkeys.table} where org_id = $1 and staff_id = $2`
  const removeOver = `delete from ${challenges.table} where digest in (
      select c.digest from ${challenges.table} c where c.expires_at < $1 order by c.expires_at, c.digest limit $2
    )`

  return {
    put: passkeys.putOne,
    // The passkey determines the org, so this lookup cannot be scoped to an org.
    find: passkeys.by("id"),
    lock: passkeys.lock,
    list: passkeys.ofOrg,
    remove: passkeys.remove(erase),
    removeOf: ({ id, orgId }) => erase(removeOf, [orgId, id]),
    addChallenge: challenges.addOne,
    lockChallenge: challenges.lockBy("digest"),
    removeChallenge: (digest) => write(`delete from ${challenges.table} where digest = $1`, [digest]),
    removeOver: (before, limit) => write(removeOver, [before, limit])
  }
})

const auditStore = Rows.layer(AuditStore, auditTable, "a", (rows) => {
  const select = `${rows.select} where a.org_id = $1`
  const newest = `${select} order by a.at desc, a.id desc limit $2`
  const older = `${select} and (a.at, a.id) < ($3, $4) order by a.at desc, a.id desc limit $2`
  const sinceQuery = `${select} and a.at >= $2 and a.what = $3 and a.subject = $4 and a.name = $5 limit 1`

  return {
    add: rows.addOne,
    page: ({ before, limit, orgId }) =>
      before === undefined
        ? rows.all(newest, [orgId, limit])
        : rows.all(older, [orgId, limit, before.at, before.id]),
    hasSince: ({ name, orgId, since: at, subject, what }) =>
      hasRows(rows.all(sinceQuery, [orgId, at, what, subject, name]))
  }
})

const assistantCallStore = Rows.layer(AssistantCallStore, assistantCallTable, "c", (rows, database) => {
  const { execute } = database
  const page = (filter: string) =>
    `${rows.select} where c.org_id = $1 and (c.at, c.id) < ($2, $3) and c.at >= $4 and c.at < $5${filter}
      order by c.at desc, c.id desc limit $6`
  // The retention period is the same for all orgs, so this statement is not scoped to an org.
  const forget = `delete from ${rows.table} where (org_id, id) in (
      select c.org_id, c.id from ${rows.table} c where c.at < $1 limit $2
    ) returning id`

  return {
    add: Table.insert(database, assistantCallTable),
    list: ({ after = maxPosition, callerId, from = minPosition.at, limit, operation, orgId, to = maxPosition.at }) => {
      const filter = makeFilterConditions({ "c.caller_id": callerId, "c.operation": operation }, 7)
      return rows.all(page(filter.text), [orgId, after.at, after.id, from, to, limit, ...filter.values])
    },
    forget: (before, limit) => Effect.map(execute(forget, [before, limit]), ({ length }) => length)
  }
})

/** OAuth clients belong to no org, so these statements are not scoped to an org. */
const oauthClientStore = Rows.layer(OAuthClientStore, oauthClientTable, "a", (rows, { dialect, write }) => {
  const removeUnused = `delete from ${rows.table} where client_id in (
      select a.client_id from ${rows.table} a where a.read_at < $1
        and not exists (select 1 from ${dialect.table("grants")} g where g.client_id = a.client_id)
      order by a.read_at, a.client_id limit $2
    )`

  return {
    find: rows.by("client_id"),
    put: rows.putOne,
    removeUnused: (before, limit) => write(removeUnused, [before, limit])
  }
})

const grantStore = storeLayer(GrantStore, (database) => {
  const { query, transaction, write } = database
  const grants = Rows.make(database, grantTable, "g")
  const codes = Rows.make(database, grantCodeTable, "c")
  const tokens = Rows.make(database, grantTokenTable, "t")
  // This query spans all orgs, because a client belongs to no org until an org approves it.
  const approvedQuery =
    `select 1 as approved from ${grants.table} g where g.client_id = $1 and g.withdrawn_at is null limit 1`
  const touch = `update ${grants.table} set last_used_at = $3 where org_id = $1 and id = $2`
  // The code or token determines the org, so these lookups cannot be scoped to an org.
  const findToken = tokens.by("digest")
  const deleteExpired = (table: string) =>
    `delete from ${table} where org_id = $1 and grant_id = $2 and expires_at < $3`

  return {
    put: grants.putOne,
    lock: grants.lock,
    list: grants.ofOrg,
    isApproved: (clientId) => hasRows(query(approvedQuery, [clientId])),
    touch: ({ id, orgId }, at) => write(touch, [orgId, id, at]),
    putCode: codes.putOne,
    lockCode: codes.lockBy("digest"),
    putToken: tokens.putOne,
    lockToken: tokens.lockBy("digest"),
    findToken: (digest) =>
      Effect.gen(function*() {
        const token = yield* findToken(digest)
        if (Option.isNone(token)) return Option.none()
        const grant = yield* grants.find({ orgId: token.value.orgId, id: token.value.grantId })
        return Option.map(grant, (grant) => ({ token: token.value, grant }))
      }),
    removeExpired: ({ id, orgId }, before) =>
      transaction(Effect.zipRight(
        write(deleteExpired(codes.table), [orgId, id, before]),
        write(deleteExpired(tokens.table), [orgId, id, before])
      ))
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
