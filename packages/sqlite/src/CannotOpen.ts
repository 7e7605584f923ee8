/**
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * The file cannot be opened, or is no database: a matter of the configuration.
 *
 * @since 0.1.0
 * @category errors
 */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{
  readonly filename: string
  readonly cause: unknown
}> {
  override get message(): string {
    const reason = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `Cannot open the database ${JSON.stringify(this.filename)}: ${reason}`
  }
}
