/**
 * Exports lists as CSV files (RFC 4180) in UTF-8 with a byte order mark, which spreadsheets need to detect the
 * encoding. Text that a spreadsheet would run as a formula gets a leading apostrophe.
 */
import type { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import type { ReplyStream } from "@trailbook/http/response/Reply"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"

type Cell = string | number | null

/** The columns, keyed by heading. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>

interface CsvPage<Row> {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor?: string
}

/** Streams all pages of a list. Each page is read only after the client has received the previous one. */
export const streamCsv = <Row>(
  columns: CsvColumns<Row>,
  readPage: (cursor: string | undefined) => Effect.Effect<CsvPage<Row>, Refusal, Actor>
): Effect.Effect<ReplyStream, Refusal, Actor> =>
  Effect.gen(function*() {
    const run = Runtime.runPromise(yield* Effect.runtime<Actor>())
    const cells = Object.values(columns)
    // If the first page fails, the result is a regular error response.
    let page: CsvPage<Row> | undefined = yield* readPage(undefined)
    let head = `\uFEFF${formatCsvRow(Object.keys(columns))}`
    return {
      next: async () => {
        if (page === undefined) return undefined
        const chunk = head + page.data.map((row) => formatCsvRow(cells.map((cell) => cell(row)))).join("")
        head = ""
        page = page.next_cursor === undefined ? undefined : await run(readPage(page.next_cursor))
        return chunk
      },
      stop: () => {
        page = undefined
      }
    }
  })

export const formatCsvRow = (cells: ReadonlyArray<Cell>): string => `${cells.map(formatCell).join(",")}\r\n`

const formatCell = (value: Cell): string => {
  const text = typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : String(value ?? "")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}
