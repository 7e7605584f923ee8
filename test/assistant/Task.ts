/** A task of the desk, as data. The bench plays it in both views of the results. */

/** `text` clients pass only the text of a result to their model, `data` clients only the structured content. */
export const views = ["text", "data"] as const

export type View = (typeof views)[number]

/**
 * A fact that an earlier result shows: the field of the smallest row that has all words, or the group of a pattern.
 * Everything else in the arguments must come from the prompt, the date, or the schema of the tool.
 */
export type Fact = { readonly field: string; readonly of: ReadonlyArray<string> } | { readonly pattern: string }

export type Value = string | number | boolean | Fact | { readonly [name: string]: Value } | ReadonlyArray<Value>

export interface Step {
  readonly tool: string
  readonly input?: { readonly [name: string]: Value }
}

/** A text, or a field with its value. */
export type Shown = string | readonly [field: string, value: string | number | boolean]

export interface Task {
  readonly name: string
  /** The words of the person. The date is added in front of them. */
  readonly prompt: string
  /** Whether the person expects a change. A task that reads must change nothing. */
  readonly intent: "read" | "change" | "refuse"
  /** Calls of operations before the task. */
  readonly setup?: ReadonlyArray<readonly [operation: string, input: object]>
  /** Default: a Wednesday, 9 a.m. */
  readonly now?: string
  /** Whether the outfitter takes online payments. Default: false. */
  readonly isPaidOnline?: boolean
  /** Who asks. Default: the staff at the desk. */
  readonly caller?: "guest"
  /** The shortest sequence of calls. */
  readonly path: ReadonlyArray<Step>
  /** The facts of the answer, which the results of the calls show. */
  readonly shows: ReadonlyArray<Shown>
  /** The rows of a list after the task: one row has all fields. */
  readonly after?: readonly [operation: string, input: object, row: object]
}

/** The limits of each task. */
export const budget = { calls: 3, tokens: 3000 }
