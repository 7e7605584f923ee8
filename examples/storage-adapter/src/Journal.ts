/**
 * Units of work over a journal. They run one after the other, each on a draft of
 * its own; what a unit changed is one line of the file. Only when that line is on
 * the disk does the draft become what everybody sees, and only then is the
 * caller answered. So nobody is told of a booking that a crash could take back.
 *
 * Since no other unit runs meanwhile, a row that a unit has read cannot change
 * under it: locking is reading.
 */
import type { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { CannotOpen } from "./CannotOpen.ts"
import { type JournalFile, open as openFile } from "./JournalFile.ts"
import { within } from "./Rows.ts"
import { apply, type Change, get, type State } from "./State.ts"

export interface Journal {
  /** Reads what this fiber's unit has so far; outside of one, what is committed. */
  readonly read: <A>(query: (state: State) => A) => Effect.Effect<A>
  /** Joins this fiber's unit; outside of one it is a unit by itself. A change that throws is a defect. */
  readonly write: (changes: (state: State) => ReadonlyArray<Change>) => Effect.Effect<void>
  readonly unitOfWork: UnitOfWork["Type"]
}

/** What a fiber is in: a unit of work, or a snapshot. */
interface Unit {
  state: State
  readonly changes: Array<Change>
  /** Whether it overwrites what must not stay in the file. */
  forgets: boolean
  readonly readOnly: boolean
  /** A fiber that was forked in a unit may outlive it; then it is outside. */
  open: boolean
}

export const open = (file: string): Effect.Effect<Journal, CannotOpen, Scope.Scope> =>
  Effect.map(openFile(file), (journal) => make(file, journal))

const make = (file: string, journal: JournalFile): Journal => {
  let committed = journal.state
  let inDoubt = false
  const oneAtATime = Effect.unsafeMakeSemaphore(1).withPermits(1)
  // A tag of this journal alone: work may be in units of two storages at once.
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
      if (inDoubt) return Effect.dieMessage(`A write to ${file} failed. Open it again to see how far it got.`)
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
      return unit.readOnly ? Effect.dieMessage("Nothing is written within a snapshot.") : undoneOnError(unit, work)
    })

  return {
    read: (query) => inUnit((unit) => Effect.sync(() => query(unit === undefined ? committed : unit.state))),
    write: (changes) =>
      run(inUnit((unit) => Effect.sync(() => unit === undefined || change(unit, changes(unit.state))))),
    unitOfWork: {
      run,
      snapshot: (reads) =>
        inUnit((unit) =>
          unit === undefined ? Effect.suspend(() => inside({ ...unitOn(committed), readOnly: true }, reads)) : reads
        )
    }
  }
}

const unitOn = (state: State): Unit => ({ state, changes: [], forgets: false, readOnly: false, open: true })

const change = (unit: Unit, changes: ReadonlyArray<Change>): void => {
  // Applied first: when one of them throws, the unit is as it was.
  const state = apply(unit.state, changes)
  unit.forgets ||= changes.some((change) => forgets(unit.state, change))
  unit.state = state
  unit.changes.push(...changes)
}

/** Work inside work that fails is undone, even if the work around it goes on. */
const undoneOnError = <A, E, R>(unit: Unit, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const { changes: { length }, state } = unit
    return Effect.onError(work, () =>
      Effect.sync(() => {
        unit.state = state
        unit.changes.length = length
      }))
  })

/** An erased guest, what was told of them, and the names of their files: earlier lines of the file still have them as they were. */
const forgets = (state: State, { gone, row, table }: Change): boolean => {
  if (table === "files") return gone === true
  if (table === "events") return get(state.events, within(row.orgId, row.id)) !== undefined
  if (table === "messages") {
    return row.body === "" && (get(state.messages, within(row.orgId, row.id))?.body ?? "") !== ""
  }
  return table === "customers" && row.erasedAt !== null &&
    get(state.customers, within(row.orgId, row.id))?.erasedAt === null
}
