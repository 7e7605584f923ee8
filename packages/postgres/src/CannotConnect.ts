import * as Data from "effect/Data"
import { getSqlState } from "./classifyError.ts"

/**
 * Reports that Trailbook cannot use the database. The server is unreachable or still starting, it rejects the
 * connection, or it cannot store the tables. Either the configuration is wrong, or the server is not ready yet.
 */
export class CannotConnect extends Data.TaggedError("CannotConnect")<{
  /** The database's host, port, and name. The password is not included. */
  readonly database: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `Cannot use the database ${this.database}: ${reasonOf(this.cause)}`
  }

  /**
   * Whether the servers are down, starting, or failing over, so that a retry with the same settings can succeed.
   */
  get isAway(): boolean {
    const cause = this.cause instanceof Error && this.cause.cause !== undefined ? this.cause.cause : this.cause
    return away.test(getSqlState(cause)) ||
      cause instanceof Error && /^(Connection terminated|timeout)/.test(cause.message)
  }

  readonly fix =
    "Check that the URL is correct, that the server is running and accepts this role, and that the role can create " +
    "tables in the schema."
}

/**
 * Matches network errors and the codes that Postgres returns when the server is starting, full, shutting down, or a
 * standby.
 */
const away = /^(E[A-Z]+|EAI_AGAIN|08...|25006|53...|57P0.)$/

/** If a host refuses the connection at every address, Node.js throws an `AggregateError` without a message. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.message === "") return cause.errors.map(reasonOf).join("; ")
  return cause instanceof Error ? cause.message : String(cause)
}
