/**
 * How a search goes to its rows. `customer_words` has a row for each word that finds
 * a guest, so those of whom a word begins with a part lie together.
 *
 * Where a part is rare, a search begins with its guests and looks at each. Where all
 * are common, the list itself is gone through in its order, in slices between which
 * others have their turn: many of its rows are found, so a page is soon full. When
 * a slice says that it will not be, because few have all parts, it begins with the
 * guests that the parts have in common. All of it finds the same; which way
 * is taken decides how much is read.
 */
import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"
import type { Search, SearchTerm } from "@trailbook/core/customer/customerSearch"
import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { behindSpace } from "../table/customerTable.ts"

/** A part that begins more words than this is not compared with others. */
const comparable = 20_000

/**
 * Words that begin with a part lie from the first text to the second. Text is
 * compared byte by byte, and no letter comes after the last of Unicode.
 */
const begins = (word: string, from: string, upTo: string): string => `${word} >= ${from} and ${word} < ${upTo}`
const range = ({ word }: SearchTerm): readonly [from: string, upTo: string] => [word, `${word}\u{10ffff}`]

/** What a list does for a search, in each of two ways. */
export interface SearchStrategies<Row> {
  /** So many guests are looked at one by one. With more of them a page of the list itself is full sooner. */
  readonly few: number
  /** So many rows take about a millisecond to go through. They are the first slice; ten times as many are one after that. */
  readonly sample: number
  /** So many are gone through sooner than the guests are looked up whom the parts have in common. */
  readonly soon: number
  /** Where the slice ends that begins behind this position and has so many rows; undefined when there are fewer. */
  readonly behind: (after: Position, rows: number) => Effect.Effect<Position | undefined>
  /** What is found between two positions of the list. */
  readonly between: (
    values: ReadonlyArray<Value>,
    after: Position,
    upTo: Position | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>>
  /** What is found of these guests, and of what is referred to; all parts were looked up if that is known of the guests. */
  readonly of: (values: ReadonlyArray<Value>, areFound: boolean) => Effect.Effect<ReadonlyArray<Row>>
}

/**
 * A statement takes the parts of a search as `$5`, what it refers to as a whole as
 * `$6`, and as `$7` the guests to begin with.
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

  /** The parts that begin no more words than this, the rarest first. */
  const upTo = (
    most: number,
    orgId: string,
    parts: ReadonlyArray<SearchTerm>
  ): Effect.Effect<ReadonlyArray<SearchTerm>> => {
    const records = parts.map((part, at) => {
      const [first, last] = range(part)
      return { at, first, last }
    })
    return Effect.map(
      query<{ readonly at: number; readonly count: number }>(counts, [orgId, JSON.stringify(records), most + 1]),
      (rows) =>
        rows.filter(({ count }) => count <= most).toSorted((a, b) => a.count - b.count).flatMap(({ at }) =>
          parts[at] ?? []
        )
    )
  }

  /** Those of whom each of these parts begins a word, unless they are many. */
  const guestsOf = (
    orgId: string,
    parts: ReadonlyArray<SearchTerm>,
    few: number
  ): Effect.Effect<ReadonlyArray<string> | undefined> => {
    const all = parts.map((_, at) => guests(3 + 2 * at)).join(" intersect ")
    return Effect.map(
      query<{ readonly id: string }>(
        `select distinct customer_id as id from (${all}) as in_common limit $2`,
        [orgId, few + 1, ...parts.flatMap(range)]
      ),
      (rows) => rows.length > few ? undefined : rows.map(({ id }) => id)
    )
  }

  /** Those that the two rarest parts have in common. Two of them mostly say enough, and the others may be everybody's. */
  const inCommon = (
    orgId: string,
    parts: ReadonlyArray<SearchTerm>,
    few: number
  ): Effect.Effect<ReadonlyArray<string> | undefined> =>
    parts.length < 2
      ? Effect.succeed(undefined)
      : Effect.flatMap(
        upTo(comparable, orgId, parts),
        (rarest) => rarest.length < 2 ? Effect.succeed(undefined) : guestsOf(orgId, rarest.slice(0, 2), few)
      )

  return {
    /** A page of what is found, by the way that reads least. */
    page: <Row>(
      orgId: string,
      { parts, reference }: Search,
      ways: SearchStrategies<Row>,
      start: Position,
      limit: number
    ): Effect.Effect<ReadonlyArray<Row>> => {
      const asked = parts.map(({ reference, word }) => ({ part: behindSpace(word), reference: reference ?? null }))
      const values = [JSON.stringify(asked), reference ?? null]
      const of = (guests: ReadonlyArray<string>, by: number) =>
        ways.of([...values, JSON.stringify(guests.map((id) => ({ id })))], by === parts.length)
      const { few, sample, soon } = ways

      /** Slice by slice, until what was found says that the page would not be full soon: then their guests are looked up. */
      const through = Effect.gen(function*() {
        const found: Array<Row> = []
        let isUnasked = true
        for (let after = start, rows = sample, read = rows;; rows = 10 * sample, read += rows) {
          const to = yield* ways.behind(after, rows)
          for (const row of yield* ways.between(values, after, to, limit - found.length)) found.push(row)
          if (to === undefined || found.length === limit) return found
          if (isUnasked && found.length * (soon / read) < limit) {
            isUnasked = false
            const guests = yield* inCommon(orgId, parts, few)
            if (guests !== undefined) return yield* of(guests, 2)
          }
          yield* yieldToEventLoop
          after = to
        }
      })

      return Effect.gen(function*() {
        const [rarest] = yield* upTo(few, orgId, parts)
        const guests = rarest && (yield* guestsOf(orgId, [rarest], few))
        return yield* guests === undefined ? through : of(guests, 1)
      })
    },

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
