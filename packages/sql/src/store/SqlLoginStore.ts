import { LoginStore } from "@trailbook/core/staff/LoginStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { forUpdate } from "../records.ts"
import * as Table from "../Table.ts"
import { loginTable } from "../table/loginTable.ts"
import { signInLinkTable } from "../table/signInLinkTable.ts"

type LinkRow = RowOf<typeof signInLinkTable.columns>
type Row = RowOf<typeof loginTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  LoginStore,
  Effect.map(Database, (database) => {
    const { dialect, erase, query, write } = database
    const links = dialect.table("sign_in_links")
    const logins = dialect.table("logins")
    const selectLinks = `select ${list(signInLinkTable.columns, "k")} from ${links} k`
    // What somebody signs in with is what tells the org, so neither of these look-ups is within an org.
    const lockLink = `${selectLinks} where k.digest = $1${forUpdate(dialect, "k")}`
    const linksOf = `${selectLinks} where k.org_id = $1 and k.staff_id = $2 order by k.created_at, k.digest`
    const select = `select ${list(loginTable.columns, "l")} from ${logins} l`
    const byDigest = `${select} where l.digest = $1`
    const lock = `${select} where l.org_id = $1 and l.id = $2${forUpdate(dialect, "l")}`
    const ofOrg = `${select} where l.org_id = $1 order by l.created_at, l.id`
    const touch = `update ${logins} set last_used_at = $3, expires_at = $4 where org_id = $1 and id = $2`
    const remove = (table: string, and = "") => `delete from ${table} where org_id = $1 and staff_id = $2${and}`
    const over = " and expires_at < $3"
    const putLink = Table.put(database, signInLinkTable)
    const put = Table.put(database, loginTable)

    return LoginStore.of({
      putLink: (link) => putLink([link]),
      lockLink: (digest) =>
        Effect.map(
          query<LinkRow>(lockLink, [digest]),
          ([row]) => Option.map(Option.fromNullable(row), signInLinkTable.decode)
        ),
      links: ({ orgId, staffId }) =>
        Effect.map(query<LinkRow>(linksOf, [orgId, staffId]), (rows) => rows.map(signInLinkTable.decode)),
      put: (login) => put([login]),
      touch: ({ expiresAt, id, lastUsedAt, orgId }) => write(touch, [orgId, id, lastUsedAt, expiresAt]),
      lock: ({ id, orgId }) =>
        Effect.map(query<Row>(lock, [orgId, id]), ([row]) => Option.map(Option.fromNullable(row), loginTable.decode)),
      find: (digest) =>
        Effect.map(query<Row>(byDigest, [digest]), ([row]) => Option.map(Option.fromNullable(row), loginTable.decode)),
      list: (orgId) => Effect.map(query<Row>(ofOrg, [orgId]), (rows) => rows.map(loginTable.decode)),
      removeOver: ({ orgId, staffId }, before) =>
        database.transaction(Effect.zipRight(
          write(remove(links, over), [orgId, staffId, before]),
          write(remove(logins, over), [orgId, staffId, before])
        )),
      removeOf: ({ id, orgId }) =>
        database.transaction(Effect.zipRight(erase(remove(links), [orgId, id]), erase(remove(logins), [orgId, id])))
    })
  })
)
