/**
 * One run of a task. It calls tools, records what the view shows, and checks that arguments come from visible facts.
 */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import type { Fact, ShownFact, Task, Value, View } from "./Task.ts"

export interface Play {
  readonly task: Task
  /** The first message to a model: the prompt with the date. */
  readonly prompt: string
  /** Calls a tool and returns the part of the result that the view shows. Counts calls and tokens. */
  readonly call: (tool: string, input: Record<string, unknown>) => Promise<string>
  readonly responses: ReadonlyArray<string>
  readonly tokens: () => number
}

export const start = (client: Client, task: Task, view: View, now: string): Play => {
  const responses: Array<string> = []
  return {
    task,
    prompt: `It is ${now}. ${task.prompt}`,
    responses,
    tokens: () => responses.reduce((sum, text) => sum + countTokens(text), 0),
    call: async (name, input) => {
      const { content, structuredContent } = CallToolResultSchema.parse(
        await client.callTool({ name, arguments: input })
      )
      const result = view === "data"
        ? JSON.stringify(structuredContent)
        : content.map((part) => part.type === "text" ? part.text : "").join("\n")
      responses.push(result)
      return result
    }
  }
}

/** Resolves the facts in the arguments from the results, as a model with this view could. */
export const resolve = (value: Value, texts: ReadonlyArray<string>, view: View): unknown => {
  if (Array.isArray(value)) return value.map((inner: Value) => resolve(inner, texts, view))
  if (typeof value !== "object") return value
  if (isFact(value)) return readFact(value, texts, view)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner, texts, view)]))
}

const isFact = (value: object): value is Fact => "pattern" in value || ("field" in value && "of" in value)

const readFact = (fact: Fact, texts: ReadonlyArray<string>, view: View): unknown => {
  for (const text of texts.toReversed()) {
    const value = "pattern" in fact
      ? new RegExp(fact.pattern).exec(text)?.[1]
      : view === "data"
      ? findInData(JSON.parse(text), fact)
      : findInText(text, fact)
    if (value !== undefined) return value
  }
  throw new Error(`Not visible: ${JSON.stringify(fact)}`)
}

interface FieldOf {
  readonly field: string
  readonly of: ReadonlyArray<string>
}

/** Reads a field from a text result. A row ends with its own ID, so the last occurrence is the row's field. */
const findInText = (text: string, { field, of }: FieldOf): unknown => {
  const line = text.split("\n").find((line) => of.every((word) => line.includes(word)) && line.includes(`${field} `))
  const value = [...(line ?? "").matchAll(new RegExp(`(?:^|[ (])${field} ("[^"]*"|[^\\s,():]+(?::[^\\s,():]+)*)`, "g"))]
    .at(-1)?.[1]
  return value === undefined ? undefined : /^(?:-?\d+|".*")$/.test(value) ? JSON.parse(value) : value
}

const findInData = (data: unknown, { field, of }: FieldOf): unknown => {
  const rows = findRows(data).filter((row) => field in row && of.every((word) => JSON.stringify(row).includes(word)))
  const [smallest] = rows.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)
  return smallest?.[field]
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the root object, and every object in a list. */
const findRows = (value: unknown, isListed = true): ReadonlyArray<Row> =>
  Array.isArray(value)
    ? value.flatMap((inner) => findRows(inner))
    : isRow(value)
    ? [...(isListed ? [value] : []), ...Object.values(value).flatMap((inner) => findRows(inner, false))]
    : []

export const shows = (texts: ReadonlyArray<string>, fact: ShownFact): boolean =>
  texts.some((text) =>
    typeof fact === "string"
      ? text.includes(fact) || text.includes(JSON.stringify(fact).slice(1, -1))
      : text.includes(`${fact[0]} ${String(fact[1])}`) || text.includes(`"${fact[0]}":${JSON.stringify(fact[1])}`)
  )

/** Fields whose text the assistant composes. */
const composed = new Set(["body", "subject", "reason", "notes", "note", "limit", "idempotency_key"])

/**
 * Returns the arguments that a model could not know. An argument is known if it appears in the prompt, in a result of
 * this view, or in the schema. A date is known if the prompt names it.
 */
export const inventions = (
  { prompt, responses }: Pick<Play, "prompt" | "responses">,
  input: unknown,
  schema: object,
  today: LocalDate.LocalDate,
  field = ""
): ReadonlyArray<string> => {
  if (Array.isArray(input)) {
    return input.flatMap((inner) => inventions({ prompt, responses }, inner, schema, today, field))
  }
  if (isRow(input)) {
    return Object.entries(input).flatMap(([name, inner]) =>
      inventions({ prompt, responses }, inner, schema, today, name)
    )
  }
  const visible = [prompt, ...responses].join("\n")
  const isKnown = (text: string) => visible.toLowerCase().includes(text.toLowerCase())
  const dates = findDates(prompt, today)
  const isVisible = typeof input === "number"
    ? [input, input / 100].some((number) => new RegExp(`(?<![\\d.])${number}(?![\\d])`).test(visible)) ||
      words[input]?.test(prompt)
    : typeof input === "string"
    ? isKnown(input) || dates.includes(input) || JSON.stringify(schema).includes(JSON.stringify(input)) ||
      (field === "q" && input.split(" ").every(isKnown)) || isMoment(input, isKnown, dates)
    : true
  return isVisible || composed.has(field) ? [] : [`${field}: ${String(input)}`]
}

/**
 * Whether the text is an instant whose date, time, and offset are visible. If the argument lacks the offset, the tool
 * responds with the instant.
 */
const isMoment = (text: string, isKnown: (text: string) => boolean, dates: ReadonlyArray<string>): boolean => {
  const [, date = "", hour = "", minute = "", offset = ""] = /^(\S{10})T(\d\d):(\d\d)(\S*)$/.exec(text) ?? []
  const spoken = `${Number(hour) % 12 || 12}${minute === "00" ? "" : `:${minute}`} ${Number(hour) < 12 ? "AM" : "PM"}`
  return date !== "" && (dates.includes(date) || isKnown(date)) && (isKnown(`${hour}:${minute}`) || isKnown(spoken)) &&
    isKnown(offset)
}

const words: Readonly<Record<number, RegExp>> = {
  1: /\b(?:one|an?|guest)\b/i,
  2: /\btwo\b/i,
  3: /\bthree\b/i,
  4: /\bfour\b/i,
  60: /\bhour\b/i
}

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

/** Returns the dates that the prompt names: today, tomorrow, and weekdays. */
const findDates = (prompt: string, today: LocalDate.LocalDate): ReadonlyArray<string> =>
  Array.from({ length: 8 }, (_, days) => LocalDate.addDays(today, days)).filter((date, days) =>
    new RegExp(`\\b${days === 0 ? "today|" : days === 1 ? "tomorrow|" : ""}${weekdays[LocalDate.weekday(date)]}`, "i")
      .test(prompt)
  ).map(LocalDate.format)
