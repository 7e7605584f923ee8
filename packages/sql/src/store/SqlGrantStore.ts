import { GrantStore } from "@trailbook/core/application/GrantStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { forUpdate } from "../records.ts"
import * as Table from "../Table.ts"
import { grantCodeTable } from "../table/grantCodeTable.ts"
import { grantTable } from "../table/grantTable.ts"
import { grantTokenTable } from "../table/grantTokenTable.ts"

type Row = RowOf<typeof grantTable.columns>
type CodeRow = RowOf<typeof grantCodeTable.columns>
type TokenRow = RowOf<typeof grantTokenTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  GrantStore,
  Effect.map(Database, (database) => {
    const { dialect, query, transaction, write } = database
    const grants = dialect.table("grants")
    const codes = dialect.table("grant_codes")
    const tokens = dialect.table("grant_tokens")
    const select = `select ${list(grantTable.columns, "g")} from ${grants} g`
    const byKey = `${select} where g.org_id = $1 and g.id = $2`
    const lock = byKey + forUpdate(dialect, "g")
    const ofOrg = `${select} where g.org_id = $1 order by g.created_at, g.id`
    // Of all orgs, as whoever asks to be let in is known to none of them yet.
    const isApproved = `select 1 as approved from ${grants} g where g.client_id = $1 and g.withdrawn_at is null limit 1`
    const touch = `update ${grants} set last_used_at = $3 where org_id = $1 and id = $2`
    // What an application comes with is what tells the org, so neither of these look-ups is within an org.
    const lockCode = `select ${list(grantCodeTable.columns, "c")} from ${codes} c where c.digest = $1` +
      forUpdate(dialect, "c")
    const token = `select ${list(grantTokenTable.columns, "t")} from ${tokens} t where t.digest = $1`
    const lockToken = token + forUpdate(dialect, "t")
    const removeOver = (table: string) => `delete from ${table} where org_id = $1 and grant_id = $2 and expires_at < $3`
    const put = Table.put(database, grantTable)
    const putCode = Table.put(database, grantCodeTable)
    const putToken = Table.put(database, grantTokenTable)

    const one = <R, A>(decode: (row: R) => A) => ([row]: ReadonlyArray<R>): Option.Option<A> =>
      Option.map(Option.fromNullable(row), decode)

    return GrantStore.of({
      put: (grant) => put([grant]),
      lock: ({ id, orgId }) => Effect.map(query<Row>(lock, [orgId, id]), one(grantTable.decode)),
      list: (orgId) => Effect.map(query<Row>(ofOrg, [orgId]), (rows) => rows.map(grantTable.decode)),
      isApproved: (clientId) => Effect.map(query(isApproved, [clientId]), ({ length }) => length > 0),
      touch: ({ id, orgId }, at) => write(touch, [orgId, id, at]),
      putCode: (code) => putCode([code]),
      lockCode: (digest) => Effect.map(query<CodeRow>(lockCode, [digest]), one(grantCodeTable.decode)),
      putToken: (token) => putToken([token]),
      lockToken: (digest) => Effect.map(query<TokenRow>(lockToken, [digest]), one(grantTokenTable.decode)),
      found: (digest) =>
        Effect.gen(function*() {
          const [row] = yield* query<TokenRow>(token, [digest])
          if (row === undefined) return Option.none()
          const [grant] = yield* query<Row>(byKey, [row.org_id, row.grant_id])
          return grant === undefined
            ? Option.none()
            : Option.some({ token: grantTokenTable.decode(row), grant: grantTable.decode(grant) })
        }),
      removeOver: ({ id, orgId }, before) =>
        transaction(Effect.zipRight(
          write(removeOver(codes), [orgId, id, before]),
          write(removeOver(tokens), [orgId, id, before])
        ))
    })
  })
)
