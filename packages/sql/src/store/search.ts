/**
 * How a search goes to its rows. `customer_words` has a row for each word that finds
 * a guest, so those of whom a word begins with a part lie together.
 *
 * A search begins with the guests of its rarest part and looks at each for the
 * others. Where even that part is common, the list itself is gone through in its
 * order instead: many of its rows are found, so a page is soon full. Both find the
 * same; which is taken decides how much is read, and that is bounded unless two common
 * parts have next to nobody in common.
 *
 * @since 0.1.0
 */
import type { Part, Search } from "@trailbook/core/customer/Search"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { behindSpace } from "../table/customerTable.ts"

/** Rare parts are long: of a sentence no more than so many are counted. */
const counted = 4

/**
 * Words that begin with a part lie from the first text to the second. Text is
 * compared byte by byte, and no letter comes after the last of Unicode.
 */
const begins = (word: string, from: string, upTo: string): string => `${word} >= ${from} and ${word} < ${upTo}`
const range = ({ word }: Part): readonly [from: string, upTo: string] => [word, `${word}\u{10ffff}`]

const given = { part: "text", reference: "text?" } as const

/**
 * What a statement needs to know of a search: its parts as `$5`, what it refers to
 * as a whole as `$6`, and the range of its rarest part as `$7` and `$8`, if that is
 * rare.
 *
 * @since 0.1.0
 * @category models
 */
export interface Way {
  readonly isRare: boolean
  readonly values: ReadonlyArray<Value>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  { dialect, query }: Database["Type"],
  { many }: {
    /** A part that begins more words than this is common. */
    readonly many: number
  }
) => {
  const words = dialect.table("customer_words")
  const bookings = dialect.table("bookings")
  const parts = dialect.records("$2", { at: "integer", first: "text", last: "text" })
  const counts = `select p.at, (
      select count(*) from (
        select 1 from ${words} w where w.org_id = $1 and ${begins("w.word", "p.first", "p.last")} limit $3
      ) as begun
    ) as count
    from ${parts} p`

  /** The rarest part, unless it is common as well. */
  const rarest = (orgId: string, { parts }: Search): Effect.Effect<Part | undefined> => {
    const asked = parts.toSorted((a, b) => b.word.length - a.word.length).slice(0, counted)
    const records = asked.map((part, at) => {
      const [first, last] = range(part)
      return { at, first, last }
    })
    return Effect.map(
      query<{ readonly at: number; readonly count: number }>(counts, [orgId, JSON.stringify(records), many + 1]),
      (rows) => {
        const [rare] = rows.toSorted((a, b) => a.count - b.count)
        return rare === undefined || rare.count > many ? undefined : asked[rare.at]
      }
    )
  }

  return {
    way: (orgId: string, search: Search): Effect.Effect<Way> =>
      Effect.map(rarest(orgId, search), (rare) => {
        const records = search.parts.map(({ reference, word }) => ({
          part: behindSpace(word),
          reference: reference ?? null
        }))
        const values = [JSON.stringify(records), search.reference ?? null]
        return { isRare: rare !== undefined, values: rare === undefined ? values : [...values, ...range(rare)] }
      }),

    /** `with` this: the parts, and whose booking each refers to. */
    parts: `parts as materialized (
        select given.part, given.reference, (
          select b.customer_id from ${bookings} b where b.org_id = $1 and b.reference = given.reference
        ) as customer_id
        from ${dialect.records("$5", given)} as given
      )`,

    /** The references that were asked for. */
    references:
      "select reference from parts where reference is not null union select cast($6 as text) where $6 is not null",

    /** The guests of whom a word begins with the rarest part. */
    begun: `select w.customer_id from ${words} w where w.org_id = $1 and ${begins("w.word", "$7", "$8")}`,

    /** A condition: no part is missing from the words of the guest `c`, but those of which the other condition is true. */
    lacksNone: (unless: string): string =>
      `not exists (select 1 from parts p where not (${
        dialect.holds("coalesce(c.words, '')", "p.part")
      }) and (${unless}) is not true)`
  }
}
