import type * as Effect from "effect/Effect"
import type { HostTransaction } from "./HostTransaction.ts"
import { type HostTransactionRuntime, makeHostTransactionRuntime } from "./HostTransactionRuntime.ts"
import { Lazy } from "./Lazy.ts"
import { open, type OpenDatabase, type Services } from "./openDatabase.ts"
import { isPostgres } from "./parseDatabase.ts"
import type { Configuration } from "./parseOptions.ts"

/** Where work is done: on the database, or in a transaction of the program. */
export interface CallScope {
  /** On behalf of an org, or of all. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>, orgId?: string) => Promise<A>
  /** Whether what is made behind it stays: a program may roll its transaction back. */
  readonly keeps: boolean
}

/**
 * Where a call begins. What has begun comes to its end behind the door that it is
 * handed, though Trailbook be closed meanwhile; nothing begins after that.
 */
export interface CallEntry {
  readonly during: <A>(work: (door: CallScope) => Promise<A>) => Promise<A>
}

/**
 * A database that is opened when it is first needed. When that fails, who needed
 * it is told, and the next one tries again: a program may start before its
 * database does.
 */
export class Lifecycle implements CallEntry {
  readonly #configuration: Configuration
  readonly #ending = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #opening: Lazy<OpenDatabase>
  readonly #hosted: Lazy<HostTransactionRuntime>
  #closing: Promise<void> | undefined

  /** For what has begun. */
  readonly inside: CallScope = { keeps: true, run: async (effect) => (await this.opened()).run(effect) }

  constructor(configuration: Configuration) {
    this.#configuration = configuration
    this.#opening = new Lazy(() => open(configuration))
    this.#hosted = new Lazy(() => makeHostTransactionRuntime(configuration))
  }

  /** Aborted when it is closed. */
  get ended(): AbortSignal {
    return this.#ending.signal
  }

  /** For what has begun. */
  opened(): Promise<OpenDatabase> {
    return this.#opening.get()
  }

  run<A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> {
    return this.during(({ run }) => run(effect))
  }

  /** It opens nothing, and asks no connection but the transaction's. */
  within(transaction: HostTransaction): CallEntry {
    if (!isPostgres(this.#configuration.database)) {
      throw new TypeError(
        "within: is for a database on Postgres; a SQLite file has one writer at a time, and that is us"
      )
    }
    if (typeof transaction?.query !== "function") {
      throw new TypeError("within: give a transaction, made by fromPg, fromKysely or fromDrizzle, or one with query()")
    }
    const door: CallScope = {
      keeps: false,
      run: async (effect, orgId) => (await this.#hosted.get()).run(transaction, orgId, effect)
    }
    return { during: (work) => this.during(() => work(door)) }
  }

  /** Does something that comes to its end before the database is given back. */
  async during<A>(work: (door: CallScope) => Promise<A>): Promise<A> {
    if (this.#closing !== undefined) throw new Error("Trailbook is closed.")
    const promise = work(this.inside)
    this.#underWay.add(promise)
    try {
      return await promise
    } finally {
      this.#underWay.delete(promise)
    }
  }

  /** Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled(this.#underWay)
    // One that could not be opened has nothing to close, and who needed it knows.
    const opened = await this.#opening.made?.catch(() => undefined)
    await opened?.close()
  }
}
