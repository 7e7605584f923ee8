import * as Data from "effect/Data"

/**
 * A statement that is wrong, or that a constraint refused. It is a defect: what
 * a caller can do wrong was decided before anything was written.
 */
export class StatementFailed extends Data.TaggedError("StatementFailed")<{
  readonly text: string
  /** What the driver threw. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `${this.cause instanceof Error ? this.cause.message : String(this.cause)}, in: ${this.text}`
  }
}
