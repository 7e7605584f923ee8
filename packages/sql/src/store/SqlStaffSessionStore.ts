import { StaffSessionStore } from "@trailbook/core/staff/sign-in/StaffSessionStore"
import * as Effect from "effect/Effect"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { signInLinkTable, staffSessionTable } from "../table/staffSessionTable.ts"

export const layer = storeLayer(StaffSessionStore, (database) => {
  const { erase, transaction, write } = database
  const links = Rows.make(database, signInLinkTable, "k")
  const logins = Rows.make(database, staffSessionTable, "l")
  // The link or session token determines the org, so these lookups cannot be scoped to an org.
  const lockLink = `${links.select} where k.digest = $1${links.locked}`
  const linksOf = `${links.select} where k.org_id = $1 and k.staff_id = $2 order by k.created_at, k.digest`
  const byDigest = `${logins.select} where l.digest = $1`
  const touch = `update ${logins.table} set last_used_at = $3, expires_at = $4 where org_id = $1 and id = $2`
  const remove = (table: string, and = "") => `delete from ${table} where org_id = $1 and staff_id = $2${and}`
  const over = " and expires_at < $3"

  return {
    putLink: links.putOne,
    lockLink: (digest) => links.one(lockLink, [digest]),
    links: ({ orgId, staffId }) => links.all(linksOf, [orgId, staffId]),
    put: logins.putOne,
    touch: ({ expiresAt, id, lastUsedAt, orgId }) => write(touch, [orgId, id, lastUsedAt, expiresAt]),
    lock: logins.lock,
    find: (digest) => logins.one(byDigest, [digest]),
    list: logins.ofOrg,
    removeOver: ({ orgId, staffId }, before) =>
      transaction(Effect.zipRight(
        write(remove(links.table, over), [orgId, staffId, before]),
        write(remove(logins.table, over), [orgId, staffId, before])
      )),
    removeOf: ({ id, orgId }) =>
      transaction(Effect.zipRight(erase(remove(links.table), [orgId, id]), erase(remove(logins.table), [orgId, id])))
  }
})
