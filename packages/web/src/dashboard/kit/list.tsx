/**
 * Pages for an operation that returns a list: search, filters, cursor pages, and a CSV file with the same rows. Invalid
 * values in the URL are ignored.
 */
import type { Refusal } from "@trailbook/core"
import type { Actor, Scope } from "@trailbook/core/actor"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { ComponentChildren } from "preact"
import { isUuid, omitUndefined } from "../../operationCaller.ts"
import { Field } from "../../ui/Field.tsx"
import { type PageContent, type PageContext, usePage } from "../Page.ts"
import { type CsvColumns, streamCsv } from "./csv.ts"
import { Button, CursorPager, EmptyNote, Select } from "./elements.tsx"
import { type Page, page, type PageProgram, toPageEffect } from "./page.tsx"

type Options = ReadonlyArray<readonly [value: string, label: string]>

interface FilterOptions {
  readonly label: string
  /** The accepted values. The filter is shown as a drop-down list. */
  readonly options?: Options | ((context: PageContext) => PageProgram<Options>)
  /** The name in the URL, if it differs from the name in the operation. */
  readonly name?: string
  /** Marks the filter as a local date. The operation receives the start of this day, or of the next day for `end`. */
  readonly date?: "start" | "end"
  /** The value to send if no value is selected. */
  readonly initial?: string
  /** Whether the filter can be set only by links from other pages. */
  readonly isHidden?: true
}

interface Filter extends FilterOptions {
  readonly key: string
  readonly name: string
  readonly value: string | undefined
  readonly choices: Options | undefined
}

interface ListOperation<Fields, Row, Encoded> extends Omit<Operation.Declared, "input" | "output"> {
  readonly input: Operation.Declared["input"] & { readonly fields: Fields }
  readonly output: Schema.Schema<{ readonly data: ReadonlyArray<Row>; readonly next_cursor?: string }, Encoded>
}

interface LoadedList<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The search text. */
  readonly q: string | undefined
  /** Reads all rows that match the filters, or returns undefined if there are more than `max`. */
  readonly readAll: (max: number) => Effect.Effect<ReadonlyArray<Row> | undefined, Refusal, Actor>
}

interface SearchText {
  readonly label: string
  readonly placeholder: string
}

interface ListContent extends Omit<PageContent, "body"> {
  /** The content for an empty list, with the next step. */
  readonly empty: ComponentChildren
  /** The content if no row matches the filters. */
  readonly noMatch?: ComponentChildren
  /** The rows of a nonempty list. */
  readonly rows: ComponentChildren
  /** Content above the list, such as totals. */
  readonly above?: ComponentChildren
}

/** Defines a page with a single list, and optionally its CSV file. */
export const listPage = <Fields, Row, Encoded>(
  path: `/${string}`,
  operation: ListOperation<Fields, Row, Encoded>,
  { access, csv, filters = {}, limit = 50, search, summary = "", view, where }: {
    /** The required scope. Default: `read`. */
    readonly access?: Scope
    /** The text of the search field. Default: no search. */
    readonly search?: SearchText
    /** The filters, keyed by their names in the operation. */
    readonly filters?: { readonly [Name in keyof Fields]?: FilterOptions }
    /** Returns the input that does not depend on the filters. */
    readonly where?: (context: PageContext) => { readonly [Name in keyof Fields]?: string }
    /** The summary of the collapsed filters below the search field. */
    readonly summary?: string
    /** The number of rows per page. */
    readonly limit?: number
    /** Returns the columns in the CSV file. The file's URL is the list's URL with `.csv`. Default: no file. */
    readonly csv?: (context: PageContext) => CsvColumns<Row>
    readonly view: (context: PageContext, list: LoadedList<Row>) => PageProgram<ListContent>
  }
): Page => {
  const readQuery = (context: PageContext) =>
    Effect.map(
      Effect.forEach(
        Object.entries<FilterOptions | undefined>(filters),
        ([key, options = { label: key }]) => readFilter(context, key, options)
      ),
      (filterStates): Query => ({ filters: filterStates, q: search && context.query("q")?.slice(0, 100) })
    )
  const readPage = (context: PageContext, { filters, q }: Query, limit: number, cursor: string | undefined) =>
    context.run(operation, { ...where?.(context), ...toInput(context, filters), q, cursor, limit })
  const readAll = (context: PageContext, query: Query, max: number) =>
    Effect.gen(function*() {
      const allRows: Array<Row> = []
      let cursor: string | undefined
      do {
        const { data, next_cursor: next } = yield* readPage(context, query, 500, cursor)
        allRows.push(...data)
        cursor = next
      } while (cursor !== undefined && allRows.length < max)
      return cursor === undefined && allRows.length <= max ? allRows : undefined
    })
  return {
    ...page(path, {
      ...(access === undefined ? {} : { access }),
      *view(context) {
        const query = yield* readQuery(context)
        const cursor = context.query("cursor")
        const { data, next_cursor: next } = yield* readPage(context, query, limit, cursor)
        const isFiltered = query.q !== undefined ||
          query.filters.some(({ initial, value }) => value !== undefined && initial === undefined)
        const { above, empty, noMatch = empty, rows, ...content } = yield* toPageEffect(
          (context) => view(context, { rows: data, q: query.q, readAll: (max) => readAll(context, query, max) }),
          context
        )
        const list = (
          <section class="card" aria-label={content.title}>
            <Search query={query} search={search} summary={summary} isFiltered={isFiltered} />
            {data.length > 0 ? rows : <EmptyNote>{isFiltered || cursor !== undefined ? noMatch : empty}</EmptyNote>}
            <CursorPager next={next} query={toUrlQuery(query)} />
            {csv !== undefined && data.length > 0 && (
              <p class="pad">
                <Button icon="download" to={`${path}.csv?${new URLSearchParams(toUrlQuery(query))}`}>
                  Download CSV
                </Button>
              </p>
            )}
          </section>
        )
        return { ...content, body: above === undefined ? list : <div class="stack">{above}{list}</div> }
      }
    }),
    ...(csv === undefined ? {} : {
      file: (context) =>
        Effect.flatMap(
          readQuery(context),
          (query) => streamCsv(csv(context), (cursor) => readPage(context, query, 500, cursor))
        )
    })
  }
}

/** The part of the URL that selects the rows. */
interface Query {
  readonly q: string | undefined
  readonly filters: ReadonlyArray<Filter>
}

const readFilter = (context: PageContext, key: string, filter: FilterOptions) =>
  Effect.map(
    toPageEffect((context) => typeof filter.options === "function" ? filter.options(context) : filter.options, context),
    (choices): Filter => {
      const name = filter.name ?? key
      const value = context.query(name) ?? ""
      const isKnown = filter.date !== undefined
        ? LocalDate.parse(value) !== undefined
        : key.endsWith("_id")
        ? isUuid(value)
        : choices?.some(([choice]) => choice === value) === true
      return { ...filter, key, name, choices, value: isKnown && value !== filter.initial ? value : undefined }
    }
  )

const toInput = ({ clock: { zone } }: PageContext, filters: ReadonlyArray<Filter>) =>
  Object.fromEntries(filters.map(({ date, initial, key, value }) => {
    const day = date === undefined ? undefined : LocalDate.parse(value ?? "")
    return [
      key,
      day === undefined
        ? value ?? initial
        : Instant.format(zone.startOf(date === "end" ? LocalDate.addDays(day, 1) : day))
    ]
  }))

const toUrlQuery = ({ filters, q }: Query): Readonly<Record<string, string>> =>
  omitUndefined({ q, ...Object.fromEntries(filters.map(({ name, value }) => [name, value])) })

const Search = ({ isFiltered, query: { filters, q }, search, summary }: {
  readonly query: Query
  readonly search: SearchText | undefined
  readonly summary: string
  readonly isFiltered: boolean
}) => {
  const { path, site } = usePage()
  const action = site.link(`/dashboard${path}`)
  if (filters.length === 0) {
    return search !== undefined && (
      <header>
        <search class="grow">
          <form class="pair" action={action}>
            <input
              class="input grow"
              type="search"
              name="q"
              maxLength={100}
              value={q}
              aria-label={search.label}
              placeholder={search.placeholder}
            />
            <button class="btn">Search</button>
            {isFiltered && <Button look="plain" to={path}>Clear search</Button>}
          </form>
        </search>
      </header>
    )
  }
  const visibleFilters = filters.filter(({ isHidden }) => isHidden !== true)
  const fields = visibleFilters.map(({ choices, initial, label, name, value }) =>
    choices === undefined
      ? <Field key={name} name={name} label={label} value={value} input={{ type: "date", required: false }} />
      : (
        <Select
          key={name}
          name={name}
          label={label}
          value={value ?? initial}
          options={initial === undefined ? [["", "Any"], ...choices] : choices}
        />
      )
  )
  const buttons = (
    <div class="acts">
      <button class="btn main">Apply filters</button>
      {isFiltered && <Button to={path}>Clear filters</Button>}
    </div>
  )
  return (
    <form class="pad stack filtering" action={action}>
      {filters.map(({ isHidden, name, value }) =>
        isHidden === true && value !== undefined && <input key={name} type="hidden" name={name} value={value} />
      )}
      {search === undefined
        ? (
          <>
            <div class="filters">{fields}</div>
            {buttons}
          </>
        )
        : (
          <>
            <div class="filters">
              <Field
                name="q"
                label={search.label}
                value={q}
                input={{ type: "search", maxLength: 100, required: false, placeholder: search.placeholder }}
              />
              {buttons}
            </div>
            <details open={visibleFilters.some(({ value }) => value !== undefined)}>
              <summary>{summary}</summary>
              <div class="filters">{fields}</div>
            </details>
          </>
        )}
    </form>
  )
}
