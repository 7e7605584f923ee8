import * as Data from "effect/Data"

/**
 * The database cannot work now: another process keeps it too long, or its disk
 * is full. The same request may succeed later. It is a defect, because only the
 * outermost door can do something about it: answer 503.
 */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{
  readonly cause: unknown
  /** Whether another transaction is to blame, and not the database. */
  readonly contended?: boolean
}> {
  override get message(): string {
    return `The database cannot work now: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}
