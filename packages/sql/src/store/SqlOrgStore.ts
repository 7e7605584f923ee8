import { OrgStore } from "@trailbook/core/org/OrgStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { forUpdate } from "../records.ts"
import * as Table from "../Table.ts"
import { orgTable } from "../table/orgTable.ts"

type Row = RowOf<typeof orgTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  OrgStore,
  Effect.map(Database, (database) => {
    const { dialect, query } = database
    const select = `select ${list(orgTable.columns, "o")} from ${dialect.table("orgs")} o`
    const byId = `${select} where o.id = $1`
    const lockById = byId + forUpdate(dialect, "o")
    const bySlug = `${select} where o.slug = $1`
    const put = Table.put(database, orgTable)

    const one = (text: string, value: string) =>
      Effect.map(query<Row>(text, [value]), ([row]) => Option.map(Option.fromNullable(row), orgTable.decode))

    return OrgStore.of({
      find: (id) => one(byId, id),
      lock: (id) => one(lockById, id),
      findBySlug: (slug) => one(bySlug, slug),
      all: Effect.map(query<Row>(`${select} order by o.created_at, o.id`), (rows) => rows.map(orgTable.decode)),
      put: (org) => put([org])
    })
  })
)
