import * as Data from "effect/Data"
import { sqlState } from "./classifyError.ts"

/**
 * The database is unreachable, rejects the connection, or cannot hold the tables: a configuration error, or a server
 * that is still starting.
 */
export class CannotConnect extends Data.TaggedError("CannotConnect")<{
  /** Host, port, and name of the database, without the password. */
  readonly database: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `Cannot use the database ${this.database}: ${reasonOf(this.cause)}`
  }

  /** Whether the settings can be correct: the servers are down, starting, or failing over. */
  get isAway(): boolean {
    const cause = this.cause instanceof Error && this.cause.cause !== undefined ? this.cause.cause : this.cause
    return away.test(sqlState(cause)) ||
      cause instanceof Error && /^(Connection terminated|timeout)/.test(cause.message)
  }

  /** A suggested fix. */
  readonly fix =
    "Check the URL, that the server is running and accepts this role, and that the role can create tables in the schema."
}

/** Errors of the network, and the codes of Postgres for a server that is starting, full, shutting down, or a standby. */
const away = /^(E[A-Z]+|EAI_AGAIN|08...|25006|53...|57P0.)$/

/** If every address of a host refuses the connection, Node.js throws an `AggregateError` without a message. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.message === "") return cause.errors.map(reasonOf).join("; ")
  return cause instanceof Error ? cause.message : String(cause)
}
