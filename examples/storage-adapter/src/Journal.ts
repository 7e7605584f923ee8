/**
 * Transactions on a journal. They run one after another, each on a draft of the state. Each transaction's changes form
 * one line in the file. The draft becomes visible and the caller gets its result only once the line is on disk, so a
 * crash cannot undo a confirmed booking.
 *
 * No other transaction runs at the same time, so a row that was read cannot change, and locking is the same as reading.
 */
import { sequential } from "@trailbook/core/concurrency"
import type { UnitOfWork } from "@trailbook/core/port"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { CannotOpen } from "./CannotOpen.ts"
import { type JournalFile, open as openFile } from "./JournalFile.ts"
import { within } from "./Rows.ts"
import { apply, type Change, get, type State } from "./State.ts"

export interface Journal {
  /** Reads the state in the fiber's transaction, or the committed state outside a transaction. */
  readonly read: <A>(query: (state: State) => A) => Effect.Effect<A>
  /**
   * Writes in the fiber's transaction, or in a new one if the fiber has none. If `changes` throws, the error is a
   * defect.
   */
  readonly write: (changes: (state: State) => ReadonlyArray<Change>) => Effect.Effect<void>
  readonly unitOfWork: UnitOfWork["Type"]
}

/** A fiber's transaction or snapshot. */
interface Unit {
  state: State
  readonly changes: Array<Change>
  /** Whether the transaction overwrites data that must not stay in the file. */
  forgets: boolean
  readonly readOnly: boolean
  /**
   * Whether the transaction is still running. A fiber forked in a transaction can outlive it, and is then no longer
   * part of it.
   */
  open: boolean
}

export const open = (file: string): Effect.Effect<Journal, CannotOpen, Scope.Scope> =>
  Effect.map(openFile(file), (journal) => make(file, journal))

const make = (file: string, journal: JournalFile): Journal => {
  let committed = journal.state
  let inDoubt = false
  const oneAtATime = Effect.unsafeMakeSemaphore(1).withPermits(1)
  // The tag is unique to each journal, because a fiber can be in transactions on two storages at once.
  const CurrentUnit = Context.GenericTag<Unit>(`unit of ${file}`)

  const inUnit = <A, E, R>(use: (unit: Unit | undefined) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.contextWithEffect((context: Context.Context<never>) => {
      const unit = Option.getOrUndefined(Context.getOption(context, CurrentUnit))
      return use(unit?.open === true ? unit : undefined)
    })
  const inside = <A, E, R>(unit: Unit, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.mapInputContext(work, (context: Context.Context<R>) => Context.add(context, CurrentUnit, unit))

  const commit = ({ changes, forgets, state }: Unit): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (changes.length === 0) return Effect.void
      if (inDoubt) {
        return Effect.dieMessage(
          `Cannot write to ${file} because an earlier write failed. Reopen the file to restore a consistent state.`
        )
      }
      inDoubt = true
      return Effect.map(Effect.promise(() => forgets ? journal.replace(state) : journal.append(changes)), () => {
        inDoubt = false
        committed = state
      })
    })

  const begin = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    oneAtATime(Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const unit = unitOn(committed)
        const end = Effect.sync(() => {
          unit.open = false
        })
        const answer = yield* Effect.ensuring(restore(inside(unit, work)), end)
        yield* commit(unit)
        return answer
      })
    ))

  const run = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    inUnit((unit) => {
      if (unit === undefined) return begin(work)
      return unit.readOnly ? Effect.dieMessage("A snapshot is read-only.") : undoneOnError(unit, work)
    })

  return {
    read: (query) => inUnit((unit) => Effect.sync(() => query(unit === undefined ? committed : unit.state))),
    write: (changes) =>
      run(inUnit((unit) => Effect.sync(() => unit === undefined || change(unit, changes(unit.state))))),
    unitOfWork: {
      run,
      queryAll: sequential,
      queryInOrder: sequential,
      assertCanWait: inUnit((unit) =>
        unit === undefined || unit.readOnly
          ? Effect.void
          : Effect.dieMessage("Deadlock: the transaction would wait for itself.")
      ),
      snapshot: (reads) =>
        inUnit((unit) =>
          unit === undefined ? Effect.suspend(() => inside({ ...unitOn(committed), readOnly: true }, reads)) : reads
        )
    }
  }
}

const unitOn = (state: State): Unit => ({ state, changes: [], forgets: false, readOnly: false, open: true })

const change = (unit: Unit, changes: ReadonlyArray<Change>): void => {
  // Apply the changes first, so that the transaction is unchanged if a change throws.
  const state = apply(unit.state, changes)
  unit.forgets ||= changes.some((change) => forgets(unit.state, change))
  unit.state = state
  unit.changes.push(...changes)
}

/** If nested work fails, undoes its changes, even if the outer work continues. */
const undoneOnError = <A, E, R>(unit: Unit, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const { changes: { length }, state } = unit
    return Effect.onError(work, () =>
      Effect.sync(() => {
        unit.state = state
        unit.changes.length = length
      }))
  })

/**
 * Whether a change erases a guest's data, events, or file names. Earlier lines of the file still contain the old
 * values.
 */
const forgets = (state: State, { gone, row, table }: Change): boolean => {
  if (table === "files") return gone === true
  if (table === "events") return get(state.events, within(row.orgId, row.id)) !== undefined
  if (table === "messages") {
    return row.body === "" && (get(state.messages, within(row.orgId, row.id))?.body ?? "") !== ""
  }
  return table === "customers" && row.erasedAt !== null &&
    get(state.customers, within(row.orgId, row.id))?.erasedAt === null
}
