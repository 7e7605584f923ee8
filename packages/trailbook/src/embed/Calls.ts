import type { Operation, Operations } from "@trailbook/client/operations"
import type { Result } from "@trailbook/client/Result"

/**
 * Every operation as a method that returns a promise. The promise rejects with a `TrailbookError` if the operation is
 * refused.
 */
export type Calls = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name], false>
  }
}

/**
 * Every operation as a method that returns a promise of a `Result`. The promise does not reject if the operation is
 * refused.
 */
export type ResultCalls = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name], true>
  }
}

type Call<Op, Tried extends boolean> = Op extends Operation<infer Input, infer Output>
  ? CallOf<Input, Tried extends true ? Result<Output> : Output>
  : never

// The input is optional if all of its fields are optional.
type CallOf<Input, Answer> = {} extends Input ? (input?: Input) => Promise<Answer>
  : (input: Input) => Promise<Answer>
