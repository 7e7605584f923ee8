/**
 * Chooses how a search reads its rows. `customer_words` has one row per search word and guest, so guests with the same
 * word prefix are adjacent.
 *
 * If a term is rare, the search starts with the guests who match this term and checks each of them. If all terms are
 * common, many rows match and a page fills quickly. The search then scans the list in order, in slices, and other
 * requests can run between slices. If the first slices show that few guests match all terms, the search switches to the
 * guests who match the rarest terms. All strategies return the same result and differ only in how many rows they read.
 * A SQLite statement blocks the event loop, so a search yields after each statement.
 */
import { yieldToEventLoop } from "@trailbook/core/concurrency"
import type { SearchQuery, SearchTerm } from "@trailbook/core/customer"
import type { Position } from "@trailbook/core/wire"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { SqlValue } from "../Dialect.ts"
import { withLeadingSpace } from "../table/conversationTables.ts"

/** The search intersects two terms only if each matches at most this many words. */
const maxIntersected = 20_000

/**
 * Returns a condition that is true if the word starts with a prefix, expressed as a range between two texts. Text is
 * compared byte by byte, and no character sorts after the last Unicode code point.
 */
const hasPrefix = (word: string, from: string, upTo: string): string => `${word} >= ${from} and ${word} < ${upTo}`
const prefixRange = ({ word }: SearchTerm): readonly [from: string, upTo: string] => [word, `${word}\u{10ffff}`]

/** The queries that a list provides for both search strategies. */
export interface SearchStrategies<Row> {
  /**
   * The maximum number of guests that are checked individually. If more guests match, scanning the list fills a page
   * sooner.
   */
  readonly few: number
  /**
   * The number of rows that can be scanned in about a millisecond. The first slice has this size. Later slices are 10
   * times as large, or 4 times as large if a statement blocks this process.
   */
  readonly sample: number
  /** A scan of this many rows is faster than intersecting the guests for two terms. */
  readonly soon: number
  /** Returns the position at which a slice of `rows` rows ends, or undefined if fewer rows remain. */
  readonly behind: (after: Position, rows: number) => Effect.Effect<Position | undefined>
  /** Returns the matches between two positions of the list. */
  readonly between: (
    values: ReadonlyArray<SqlValue>,
    after: Position,
    upTo: Position | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>>
  /**
   * Returns the matches among the guests in `$7`, and the rows with a matching reference. If `areFound` is true, the
   * guests already match all terms.
   */
  readonly of: (values: ReadonlyArray<SqlValue>, areFound: boolean) => Effect.Effect<ReadonlyArray<Row>>
}

/**
 * Creates the search. In statements, `$5` contains the terms, `$6` the reference in the query, and `$7` the guests to
 * start with.
 */
export const makeSearch = ({ dialect, query: send }: Database["Type"]) => {
  const query = <Row>(...statement: Parameters<typeof send>) =>
    Effect.zipLeft(send<Row>(...statement), yieldToEventLoop)
  const growthFactor = dialect.isOutOfProcess ? 10 : 4
  const termsPerCount = dialect.isOutOfProcess ? 12 : 4
  const words = dialect.table("customer_words")
  const bookings = dialect.table("bookings")
  const ranges = dialect.records("$2", { at: "integer", first: "text", last: "text" })
  const countQuery = `select p.at, (
      select count(*) from (
        select 1 from ${words} w where w.org_id = $1 and ${hasPrefix("w.word", "p.first", "p.last")} limit $3
      ) as begun
    ) as count
    from ${ranges} p`
  const selectGuests = (firstParameter: number): string =>
    `select w.customer_id from ${words} w where w.org_id = $1 and ${
      hasPrefix("w.word", `$${firstParameter}`, `$${firstParameter + 1}`)
    }`

  /** Returns the terms that match at most `maxMatches` words, rarest first. */
  const findRareTerms = (
    maxMatches: number,
    orgId: string,
    terms: ReadonlyArray<SearchTerm>
  ): Effect.Effect<ReadonlyArray<SearchTerm>> => {
    const records = terms.map((part, at) => {
      const [first, last] = prefixRange(part)
      return { at, first, last }
    })
    return Effect.map(
      Effect.forEach(
        Arr.chunksOf(records, termsPerCount),
        (chunk) =>
          query<{ readonly at: number; readonly count: number }>(countQuery, [
            orgId,
            JSON.stringify(chunk),
            maxMatches + 1
          ])
      ),
      (rows) =>
        rows.flat().filter(({ count }) => count <= maxMatches).toSorted((a, b) => a.count - b.count).flatMap(({ at }) =>
          terms[at] ?? []
        )
    )
  }

  /** Returns the guests who match all of these terms, or undefined if more than `maxGuests` guests match. */
  const findGuests = (
    orgId: string,
    terms: ReadonlyArray<SearchTerm>,
    maxGuests: number
  ): Effect.Effect<ReadonlyArray<string> | undefined> => {
    const intersection = terms.map((_, at) => selectGuests(3 + 2 * at)).join(" intersect ")
    return Effect.map(
      query<{ readonly id: string }>(
        `select distinct customer_id as id from (${intersection}) as in_common limit $2`,
        [orgId, maxGuests + 1, ...terms.flatMap(prefixRange)]
      ),
      (rows) => rows.length > maxGuests ? undefined : rows.map(({ id }) => id)
    )
  }

  /**
   * Returns the guests who match the two rarest terms. Two terms are usually selective enough, whereas the other terms
   * can match nearly every guest.
   */
  const findGuestsByRarestTerms = (
    orgId: string,
    terms: ReadonlyArray<SearchTerm>,
    maxGuests: number
  ): Effect.Effect<ReadonlyArray<string> | undefined> =>
    terms.length < 2
      ? Effect.succeed(undefined)
      : Effect.flatMap(
        findRareTerms(maxIntersected, orgId, terms),
        (rarest) => rarest.length < 2 ? Effect.succeed(undefined) : findGuests(orgId, rarest.slice(0, 2), maxGuests)
      )

  return {
    /** Returns a page of matches with the strategy that reads the fewest rows. */
    page: <Row>(
      orgId: string,
      { parts, reference }: SearchQuery,
      strategies: SearchStrategies<Row>,
      start: Position,
      limit: number
    ): Effect.Effect<ReadonlyArray<Row>> => {
      const patterns = parts.map(({ reference, word }) => ({
        part: withLeadingSpace(word),
        reference: reference ?? null
      }))
      const values = [JSON.stringify(patterns), reference ?? null]
      const searchGuests = (guests: ReadonlyArray<string>, termCount: number) =>
        strategies.of([...values, JSON.stringify(guests.map((id) => ({ id })))], termCount === parts.length)
      const { few, sample, soon } = strategies

      /**
       * Scans slices until the matches show that the page will not fill soon. Then looks up the guests for the rarest
       * terms.
       */
      const scan = Effect.gen(function*() {
        const matches: Array<Row> = []
        let canLookUpGuests = true
        for (let after = start, rows = sample, readCount = rows;; rows = growthFactor * sample, readCount += rows) {
          const end = yield* strategies.behind(after, rows)
          for (const row of yield* strategies.between(values, after, end, limit - matches.length)) matches.push(row)
          if (end === undefined || matches.length === limit) return matches
          yield* yieldToEventLoop
          if (canLookUpGuests && matches.length * (soon / readCount) < limit) {
            canLookUpGuests = false
            const guests = yield* findGuestsByRarestTerms(orgId, parts, few)
            if (guests !== undefined) return yield* searchGuests(guests, 2)
          }
          after = end
        }
      })

      return Effect.gen(function*() {
        const [rarest] = yield* findRareTerms(few, orgId, parts)
        const guests = rarest && (yield* findGuests(orgId, [rarest], few))
        return yield* guests === undefined ? scan : searchGuests(guests, 1)
      })
    },

    /**
     * The part of a `with` clause that contains the terms. If a term is a booking reference, its row also contains the
     * booking's customer.
     */
    parts: `parts as materialized (
        select given.part, given.reference, (
          select b.customer_id from ${bookings} b where b.org_id = $1 and b.reference = given.reference
        ) as customer_id
        from ${dialect.records("$5", { part: "text", reference: "text?" })} as given
      )`,

    /** The references in the query. */
    references:
      "select reference from parts where reference is not null union select cast($6 as text) where $6 is not null",

    /** The guests to start with. */
    begun: `select begun.id from ${dialect.records("$7", { id: "text" })} as begun`,

    /**
     * Returns a condition that is true if the words of the guest `c` match every term except those for which `unless`
     * is true.
     */
    lacksNone: (unless: string): string =>
      `not exists (select 1 from parts p where not (${
        dialect.holds("coalesce(c.words, '')", "p.part")
      }) and (${unless}) is not true)`
  }
}
