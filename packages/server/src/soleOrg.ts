import { OrgStore } from "@trailbook/core/org"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * Returns the only outfitter in a database. If the database has several, returns no names, because names are private.
 */
export const soleOrg = Effect.gen(function*() {
  const { dialect, query } = yield* Database
  const { find } = yield* OrgStore
  return Effect.gen(function*() {
    const [first, second] = yield* query<{ readonly id: string }>(`select id from ${dialect.table("orgs")} limit 2`)
    if (first === undefined) return "none" as const
    if (second !== undefined) return "several" as const
    return Option.match(yield* find(first.id), {
      onNone: () => "none" as const,
      onSome: ({ name, slug }) => ({ name, slug })
    })
  })
})
