import * as Data from "effect/Data"

/**
 * A statement is invalid or violated a constraint. It is a defect, because errors of the caller are detected before any
 * write.
 */
export class StatementFailed extends Data.TaggedError("StatementFailed")<{
  readonly text: string
  /** The driver error. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `${this.cause instanceof Error ? this.cause.message : String(this.cause)}, in: ${this.text}`
  }
}
