/**
 * How a search goes to its rows. `customer_words` has a row for each word that finds
 * a guest, so those of whom a word begins with a part lie together.
 *
 * A search begins with the guests of its rarest part, or with those that all parts
 * have in common, and looks at each. Where even they are many, the list itself is
 * gone through in its order instead: many of its rows are found, so a page is soon
 * full. Both find the same; which is taken decides how much is read.
 *
 * @since 0.1.0
 */
import type { Part, Search } from "@trailbook/core/customer/Search"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { behindSpace } from "../table/customerTable.ts"

/** So many guests are looked at one by one. With more of them a page of the list itself is full after some thousand rows. */
const few = 2000

/** Beyond so many words it does not matter how common a part is. */
const counted = 10_000

/**
 * Words that begin with a part lie from the first text to the second. Text is
 * compared byte by byte, and no letter comes after the last of Unicode.
 */
const begins = (word: string, from: string, upTo: string): string => `${word} >= ${from} and ${word} < ${upTo}`
const range = ({ word }: Part): readonly [from: string, upTo: string] => [word, `${word}\u{10ffff}`]

/**
 * What a statement needs to know of a search: its parts as `$5`, what it refers to
 * as a whole as `$6`, and as `$7` the guests to begin with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Way {
  /** Otherwise it goes through the list. */
  readonly isRare: boolean
  readonly values: ReadonlyArray<Value>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ dialect, query }: Database["Type"]) => {
  const words = dialect.table("customer_words")
  const bookings = dialect.table("bookings")
  const ranges = dialect.records("$2", { at: "integer", first: "text", last: "text" })
  const counts = `select p.at, (
      select count(*) from (
        select 1 from ${words} w where w.org_id = $1 and ${begins("w.word", "p.first", "p.last")} limit $3
      ) as begun
    ) as count
    from ${ranges} p`
  const guests = (first: number): string =>
    `select w.customer_id from ${words} w where w.org_id = $1 and ${begins("w.word", `$${first}`, `$${first + 1}`)}`

  /** Those of whom each of these parts begins a word, unless they are many. */
  const guestsOf = (orgId: string, parts: ReadonlyArray<Part>): Effect.Effect<ReadonlyArray<string> | undefined> => {
    const all = parts.map((_, at) => guests(3 + 2 * at)).join(" intersect ")
    return Effect.map(
      query<{ readonly id: string }>(
        `select distinct customer_id as id from (${all}) as in_common limit $2`,
        [orgId, few + 1, ...parts.flatMap(range)]
      ),
      (rows) => rows.length > few ? undefined : rows.map(({ id }) => id)
    )
  }

  const begin = (orgId: string, { parts }: Search): Effect.Effect<ReadonlyArray<string> | undefined> => {
    const records = parts.map((part, at) => {
      const [first, last] = range(part)
      return { at, first, last }
    })
    return Effect.flatMap(
      query<{ readonly at: number; readonly count: number }>(counts, [orgId, JSON.stringify(records), counted]),
      (rows) => {
        const rarestFirst = rows.toSorted((a, b) => a.count - b.count).flatMap(({ at }) => parts[at] ?? [])
        if (rows.some(({ count }) => count <= few)) return guestsOf(orgId, rarestFirst.slice(0, 1))
        if (parts.length === 1) return Effect.succeed(undefined)
        // Two of them mostly say enough, and the others may be everybody's.
        return Effect.flatMap(
          guestsOf(orgId, rarestFirst.slice(0, 2)),
          (found) => found !== undefined || parts.length === 2 ? Effect.succeed(found) : guestsOf(orgId, rarestFirst)
        )
      }
    )
  }

  return {
    way: (orgId: string, search: Search): Effect.Effect<Way> =>
      Effect.map(begin(orgId, search), (guests) => {
        const parts = search.parts.map(({ reference, word }) => ({
          part: behindSpace(word),
          reference: reference ?? null
        }))
        const values = [JSON.stringify(parts), search.reference ?? null]
        return guests === undefined
          ? { isRare: false, values }
          : { isRare: true, values: [...values, JSON.stringify(guests.map((id) => ({ id })))] }
      }),

    /** `with` this: the parts, and whose booking each refers to. */
    parts: `parts as materialized (
        select given.part, given.reference, (
          select b.customer_id from ${bookings} b where b.org_id = $1 and b.reference = given.reference
        ) as customer_id
        from ${dialect.records("$5", { part: "text", reference: "text?" })} as given
      )`,

    /** The references that were asked for. */
    references:
      "select reference from parts where reference is not null union select cast($6 as text) where $6 is not null",

    /** The guests to begin with. */
    begun: `select begun.id from ${dialect.records("$7", { id: "text" })} as begun`,

    /** A condition: no part is missing from the words of the guest `c`, but those of which the other condition is true. */
    lacksNone: (unless: string): string =>
      `not exists (select 1 from parts p where not (${
        dialect.holds("coalesce(c.words, '')", "p.part")
      }) and (${unless}) is not true)`
  }
}
