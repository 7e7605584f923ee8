/** Formats the JSON log for terminals. Lines that are not JSON pass through unchanged. */
import type { LineWriter } from "./LineWriter.ts"

export const logFormats = ["auto", "json", "text"] as const

export type LogFormat = (typeof logFormats)[number]

/**
 * Wraps a writer to format JSON lines as text if the format is `text`, or if it is `auto` and the output is a terminal.
 */
export const makeReadableLog = (
  writer: LineWriter,
  format: LogFormat,
  { isTTY }: { readonly isTTY?: boolean | undefined }
): LineWriter =>
  format === "text" || format === "auto" && isTTY === true
    ? { flush: writer.flush, write: (line) => writer.write(formatReadableLine(line)) }
    : writer

/**
 * Formats a JSON line as text with the local time, the level unless it is `info`, and the message. Errors follow on
 * indented lines.
 */
export const formatReadableLine = (line: string): string => {
  const entry = entryIn(line)
  if (entry === undefined) return line
  const { cause, error, level, msg, time, ...fields } = entry
  const head = [
    clock.format(new Date(String(time))),
    ...(level === "info" ? [] : [textOf(level)]),
    ...(msg === "request" ? request(fields) : [textOf(msg), ...Object.entries(fields).map(pair)])
  ].join(" ")
  const errorTexts = [cause, error].filter((text) => typeof text === "string")
  return [head, ...errorTexts.flatMap((text) => text.split("\n")).map((text) => `  ${text}`)].map(printable).join("\n")
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

/** Formats a request, such as `GET /v1/bookings/:id 404 2 ms bookings.get not_found`. */
const request = ({ code, method, ms, op, path, request_id, route, status }: Entry): ReadonlyArray<string> => [
  textOf(method),
  textOf(route ?? path),
  textOf(status),
  `${Math.round(Number(ms))} ms`,
  ...[op, code].flatMap((word) => word === undefined ? [] : [textOf(word)]),
  // Responses with status 5xx contain the request ID, so a client can quote it.
  ...(Number(status) >= 500 ? [textOf(request_id)] : [])
]

const pair = ([name, value]: [string, unknown]): string => `${name}=${textOf(value)}`

const textOf = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value) ?? "?"

/** Replaces control characters, so that logged text cannot move the cursor or change colors. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, " ")

// Formats times in the machine's time zone.
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" })
