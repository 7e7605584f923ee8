import type { Operation, Operations } from "@trailbook/client/operations"
import type { Result } from "@trailbook/client/Result"

/**
 * Every operation under its own name, as a promise. It is rejected with a
 * `TrailbookError` when the operation is refused.
 */
export type Calls = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name], false>
  }
}

/** The same for those who would rather look than catch. */
export type ResultCalls = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name], true>
  }
}

type Call<Op, Tried extends boolean> = Op extends Operation<infer Input, infer Output>
  ? Answered<Input, Tried extends true ? Result<Output> : Output>
  : never

// What needs nothing is called with nothing.
type Answered<Input, Answer> = {} extends Input ? (input?: Input) => Promise<Answer>
  : (input: Input) => Promise<Answer>
