/**
 * The log for people at a terminal: the lines of JSON that everything writes,
 * said shorter. A line that is no JSON goes through as it is.
 */
import type { LineWriter } from "./LineWriter.ts"

export const formats = ["auto", "json", "text"] as const

export type Format = (typeof formats)[number]

/**
 * A writer of lines of JSON that writes them readably where that was asked for,
 * or where nothing was and somebody looks on.
 */
export const readableLog = (
  writer: LineWriter,
  format: Format,
  { isTTY }: { readonly isTTY?: boolean | undefined }
): LineWriter =>
  format === "text" || format === "auto" && isTTY === true
    ? { flush: writer.flush, write: (line) => writer.write(readable(line)) }
    : writer

/**
 * A line of JSON as people read it: the clock's time, the level unless all is
 * well, and what happened; below it, moved in, what broke.
 */
export const readable = (line: string): string => {
  const entry = entryIn(line)
  if (entry === undefined) return line
  const { cause, error, level, msg, time, ...fields } = entry
  const head = [
    clock.format(new Date(String(time))),
    ...(level === "info" ? [] : [said(level)]),
    ...(msg === "request" ? request(fields) : [said(msg), ...Object.entries(fields).map(pair)])
  ].join(" ")
  const broken = [cause, error].filter((text) => typeof text === "string")
  return [head, ...broken.flatMap((text) => text.split("\n")).map((text) => `  ${text}`)].map(printable).join("\n")
}

interface Entry {
  readonly [name: string]: unknown
}

const entryIn = (line: string): Entry | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    const isEntry = typeof value === "object" && value !== null && "msg" in value && "time" in value &&
      !Number.isNaN(Date.parse(String(value.time)))
    return isEntry ? value : undefined
  } catch {
    return undefined
  }
}

/** `GET /v1/bookings/:id 404 2 ms bookings.get not_found` */
const request = ({ code, method, ms, op, path, request_id, route, status }: Entry): ReadonlyArray<string> => [
  said(method),
  said(route ?? path),
  said(status),
  `${Math.round(Number(ms))} ms`,
  ...[op, code].flatMap((word) => word === undefined ? [] : [said(word)]),
  // Who meets this one is told the id.
  ...(Number(status) >= 500 ? [said(request_id)] : [])
]

const pair = ([name, value]: [string, unknown]): string => `${name}=${said(value)}`

const said = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value) ?? "?"

/** Nothing that was logged moves the cursor or changes colors. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, " ")

// Of this machine, as the clock beside the terminal shows it.
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" })
