import { GrantStore } from "@trailbook/core/oauth/GrantStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isAny } from "../jsonParameter.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { grantCodeTable, grantTable, grantTokenTable } from "../table/grantTable.ts"

export const layer = storeLayer(GrantStore, (database) => {
  const { query, transaction, write } = database
  const grants = Rows.make(database, grantTable, "g")
  const codes = Rows.make(database, grantCodeTable, "c")
  const tokens = Rows.make(database, grantTokenTable, "t")
  // Across orgs, because a client that requests authorization is not known to any org yet.
  const isApproved =
    `select 1 as approved from ${grants.table} g where g.client_id = $1 and g.withdrawn_at is null limit 1`
  const touch = `update ${grants.table} set last_used_at = $3 where org_id = $1 and id = $2`
  // The code or token determines the org, so these lookups cannot be scoped to an org.
  const lockCode = `${codes.select} where c.digest = $1${codes.locked}`
  const token = `${tokens.select} where t.digest = $1`
  const lockToken = token + tokens.locked
  const removeOver = (table: string) => `delete from ${table} where org_id = $1 and grant_id = $2 and expires_at < $3`

  return {
    put: grants.putOne,
    lock: grants.lock,
    list: grants.ofOrg,
    isApproved: (clientId) => isAny(query(isApproved, [clientId])),
    touch: ({ id, orgId }, at) => write(touch, [orgId, id, at]),
    putCode: codes.putOne,
    lockCode: (digest) => codes.one(lockCode, [digest]),
    putToken: tokens.putOne,
    lockToken: (digest) => tokens.one(lockToken, [digest]),
    found: (digest) =>
      Effect.gen(function*() {
        const found = yield* tokens.one(token, [digest])
        if (Option.isNone(found)) return Option.none()
        const grant = yield* grants.find({ orgId: found.value.orgId, id: found.value.grantId })
        return Option.map(grant, (grant) => ({ token: found.value, grant }))
      }),
    removeOver: ({ id, orgId }, before) =>
      transaction(Effect.zipRight(
        write(removeOver(codes.table), [orgId, id, before]),
        write(removeOver(tokens.table), [orgId, id, before])
      ))
  }
})
