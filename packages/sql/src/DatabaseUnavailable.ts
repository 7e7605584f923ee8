import * as Data from "effect/Data"

/**
 * Reports that the database is temporarily unavailable, for example because another process has kept it locked for too
 * long or its disk is full. A retry can succeed. The error is a defect, because only the outermost handler can react to
 * it, by responding with 503.
 */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{
  readonly cause: unknown
  /** Whether another transaction caused the failure. If false, the database itself caused it. */
  readonly contended?: boolean
}> {
  override get message(): string {
    return `The database is unavailable: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/**
 * Reports that a statement is invalid or violated a constraint. The error is a defect, because caller errors are
 * detected before the first write.
 */
export class StatementFailed extends Data.TaggedError("StatementFailed")<{
  readonly text: string
  /** The driver error. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `${this.cause instanceof Error ? this.cause.message : String(this.cause)} (statement: ${this.text})`
  }
}
