import { PasskeyStore } from "@trailbook/core/staff/passkey/PasskeyStore"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { challengeTable, passkeyTable } from "../table/passkeyTable.ts"

export const layer = storeLayer(PasskeyStore, (database) => {
  const { erase, write } = database
  const passkeys = Rows.make(database, passkeyTable, "p")
  const challenges = Rows.make(database, challengeTable, "c")
  // The passkey determines the org, so this lookup cannot be scoped to an org.
  const byId = `${passkeys.select} where p.id = $1`
  const remove = `delete from ${passkeys.table} where org_id = $1 and id = $2`
  const removeOf = `delete from ${passkeys.table} where org_id = $1 and staff_id = $2`
  const lockChallenge = `${challenges.select} where c.digest = $1${challenges.locked}`
  const removeOver = `delete from ${challenges.table} where digest in (
      select c.digest from ${challenges.table} c where c.expires_at < $1 order by c.expires_at, c.digest limit $2
    )`

  return {
    put: passkeys.putOne,
    find: (id) => passkeys.one(byId, [id]),
    lock: passkeys.lock,
    list: passkeys.ofOrg,
    remove: ({ id, orgId }) => erase(remove, [orgId, id]),
    removeOf: ({ id, orgId }) => erase(removeOf, [orgId, id]),
    addChallenge: challenges.addOne,
    lockChallenge: (digest) => challenges.one(lockChallenge, [digest]),
    removeChallenge: (digest) => write(`delete from ${challenges.table} where digest = $1`, [digest]),
    removeOver: (before, limit) => write(removeOver, [before, limit])
  }
})
