import type * as Effect from "effect/Effect"
import { Lazy } from "./Lazy.ts"
import { type DomainServices, type OpenDatabase, openDatabase } from "./openDatabase.ts"
import { isPostgres, type ParsedOptions } from "./option/parseOptions.ts"
import type { HostTransaction } from "./transaction/HostTransaction.ts"
import { type HostTransactionRuntime, makeHostTransactionRuntime } from "./transaction/HostTransactionRuntime.ts"

/** Runs effects either on the database or in a transaction of the host application. */
export interface EffectRunner {
  /** Runs an effect that is scoped to one org, or to all orgs if `orgId` is omitted. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, DomainServices>, orgId?: string) => Promise<A>
  /** Whether writes are durable. False in a host transaction, which can roll back. */
  readonly isDurable: boolean
}

/**
 * The entry point for calls. A call that has started completes even if Trailbook is closed in the meantime. No new call
 * can start once Trailbook is closed.
 */
export interface CallGate {
  readonly runCall: <A>(work: (call: EffectRunner) => Promise<A>) => Promise<A>
}

/**
 * Opens the database on first use and closes it after the last running call. The next call retries a failed open, so
 * the host application can start before its database.
 */
export class Lifecycle implements CallGate {
  readonly #configuration: ParsedOptions
  readonly #closeController = new AbortController()
  readonly #pendingCalls = new Set<Promise<unknown>>()
  readonly #database: Lazy<OpenDatabase>
  readonly #hostRuntime: Lazy<HostTransactionRuntime>
  #closing: Promise<void> | undefined

  /** The scope for work inside a call that is already running. */
  readonly inside: EffectRunner = { isDurable: true, run: async (effect) => (await this.opened()).run(effect) }

  constructor(configuration: ParsedOptions) {
    this.#configuration = configuration
    this.#database = new Lazy(() => openDatabase(configuration))
    this.#hostRuntime = new Lazy(() => makeHostTransactionRuntime(configuration))
  }

  /** The signal that `close()` aborts. */
  get ended(): AbortSignal {
    return this.#closeController.signal
  }

  /** Opens the database if needed. Call it only inside a call that has already started. */
  opened(): Promise<OpenDatabase> {
    return this.#database.get()
  }

  run<A, E>(effect: Effect.Effect<A, E, DomainServices>): Promise<A> {
    return this.runCall(({ run }) => run(effect))
  }

  /**
   * Returns an entry point that runs calls in a host transaction. It opens no database and uses only the transaction's
   * connection.
   */
  within(transaction: HostTransaction): CallGate {
    if (!isPostgres(this.#configuration.database)) {
      throw new TypeError(
        "within: requires Postgres, because only Trailbook can write to its SQLite file"
      )
    }
    if (typeof transaction?.query !== "function") {
      throw new TypeError(
        "within: pass a transaction from fromPg, fromKysely, or fromDrizzle, or an object with query()"
      )
    }
    const call: EffectRunner = {
      isDurable: false,
      run: async (effect, orgId) => (await this.#hostRuntime.get()).run(transaction, orgId, effect)
    }
    return { runCall: (work) => this.runCall(() => work(call)) }
  }

  /** Runs work. `close()` waits for the work. Throws if Trailbook is closed. */
  async runCall<A>(work: (call: EffectRunner) => Promise<A>): Promise<A> {
    if (this.#closing !== undefined) throw new Error("Trailbook is closed.")
    const promise = work(this.inside)
    this.#pendingCalls.add(promise)
    try {
      return await promise
    } finally {
      this.#pendingCalls.delete(promise)
    }
  }

  /** Closes Trailbook. Repeated calls return the same promise. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#closeController.abort()
    await Promise.allSettled(this.#pendingCalls)
    // After a failed open, there is nothing to close, and the caller has already received the error.
    const database = await this.#database.made?.catch(() => undefined)
    await database?.close()
  }
}
