/** A front desk task, as data. The benchmark plays it with both views of the results. */

/** `text` clients pass only a result's text to their model. `data` clients pass only the structured content. */
export const views = ["text", "data"] as const

export type View = (typeof views)[number]

/**
 * A fact from an earlier result: a field of the smallest row that contains all the words, or a pattern's capture group.
 * Everything else in the arguments must come from the prompt, the date, or the tool's schema.
 */
export type Fact = { readonly field: string; readonly of: ReadonlyArray<string> } | { readonly pattern: string }

export type Value = string | number | boolean | Fact | { readonly [name: string]: Value } | ReadonlyArray<Value>

export interface Step {
  readonly tool: string
  readonly input?: { readonly [name: string]: Value }
}

/** Text, or a field and its value. */
export type ShownFact = string | readonly [field: string, value: string | number | boolean]

export interface Task {
  readonly name: string
  /** The person's request in their own words. The date is prepended. */
  readonly prompt: string
  /** The kind of request. Only a task that asks for a change may change anything. */
  readonly intent: "read" | "change" | "refuse"
  /** Operations to call before the task. */
  readonly setup?: ReadonlyArray<readonly [operation: string, input: object]>
  /** The start time. Default: a Wednesday at 9 a.m. */
  readonly now?: string
  /** Whether the outfitter takes online payments. Default: false. */
  readonly isPaidOnline?: boolean
  /** The caller. Default: the staff at the desk. */
  readonly caller?: "guest"
  /** The shortest sequence of calls. */
  readonly path: ReadonlyArray<Step>
  /** The facts that the answer must contain, all of which appear in the results of the calls. */
  readonly shows: ReadonlyArray<ShownFact>
  /** A list to request after the task. One of its rows must match all of these fields. */
  readonly after?: readonly [operation: string, input: object, row: object]
}

/** The limits for each task. */
export const budget = { calls: 3, tokens: 3000 }
