import * as Data from "effect/Data"

/**
 * The database does not answer, refuses us, or cannot hold our tables: a matter
 * of the configuration, or of a server that is not up yet.
 */
export class CannotConnect extends Data.TaggedError("CannotConnect")<{
  /** Host, port and name of the database; never the password. */
  readonly database: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `Cannot use the database ${this.database}: ${reasonOf(this.cause)}`
  }

  /** What to do about it. */
  readonly fix =
    "Check the address, that the server runs and lets this role in, and that it may make tables in the schema."
}

/** Several addresses of one host that all refuse come as an error without a message of its own. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.message === "") return cause.errors.map(reasonOf).join("; ")
  return cause instanceof Error ? cause.message : String(cause)
}
