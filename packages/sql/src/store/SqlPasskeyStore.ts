import { PasskeyStore } from "@trailbook/core/staff/PasskeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { forUpdate } from "../records.ts"
import * as Table from "../Table.ts"
import { challengeTable, passkeyTable } from "../table/passkeyTable.ts"

type Row = RowOf<typeof passkeyTable.columns>
type ChallengeRow = RowOf<typeof challengeTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  PasskeyStore,
  Effect.map(Database, (database) => {
    const { dialect, erase, query, write } = database
    const passkeys = dialect.table("passkeys")
    const challenges = dialect.table("passkey_challenges")
    const select = `select ${list(passkeyTable.columns, "p")} from ${passkeys} p`
    // What somebody signs in with is what tells the org, so this look-up is not within an org.
    const byId = `${select} where p.id = $1`
    const lock = `${select} where p.org_id = $1 and p.id = $2${forUpdate(dialect, "p")}`
    const ofOrg = `${select} where p.org_id = $1 order by p.created_at, p.id`
    const remove = `delete from ${passkeys} where org_id = $1 and id = $2`
    const removeOf = `delete from ${passkeys} where org_id = $1 and staff_id = $2`
    const lockChallenge = `select ${list(challengeTable.columns, "c")} from ${challenges} c where c.digest = $1${
      forUpdate(dialect, "c")
    }`
    const removeOver = `delete from ${challenges} where digest in (
        select c.digest from ${challenges} c where c.expires_at < $1 order by c.expires_at, c.digest limit $2
      )`
    const put = Table.put(database, passkeyTable)
    const addChallenge = Table.insert(database, challengeTable)
    const one = (rows: ReadonlyArray<Row>) => Option.map(Option.fromNullable(rows[0]), passkeyTable.decode)

    return PasskeyStore.of({
      put: (passkey) => put([passkey]),
      find: (id) => Effect.map(query<Row>(byId, [id]), one),
      lock: ({ id, orgId }) => Effect.map(query<Row>(lock, [orgId, id]), one),
      list: (orgId) => Effect.map(query<Row>(ofOrg, [orgId]), (rows) => rows.map(passkeyTable.decode)),
      remove: ({ id, orgId }) => erase(remove, [orgId, id]),
      removeOf: ({ id, orgId }) => erase(removeOf, [orgId, id]),
      addChallenge: (challenge) => addChallenge([challenge]),
      lockChallenge: (digest) =>
        Effect.map(
          query<ChallengeRow>(lockChallenge, [digest]),
          ([row]) => Option.map(Option.fromNullable(row), challengeTable.decode)
        ),
      removeChallenge: (digest) => write(`delete from ${challenges} where digest = $1`, [digest]),
      removeOver: (before, limit) => write(removeOver, [before, limit])
    })
  })
)
