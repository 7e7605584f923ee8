import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * All or nothing. What `work` stores becomes visible at once when it succeeds
 * and leaves no trace when it fails, whether by a refusal, by a defect or by an
 * interruption. Nothing outside the database is called within, so a storage may
 * run work again from its start when it lost to another unit and left nothing.
 *
 * **Interruption.** Who waits to begin can be interrupted, and so can work under
 * way: the interruption is over when everything is undone. One that comes during
 * the commit waits until that has ended, and what was stored is there. Where
 * nobody can know whether a commit happened, because its answer was lost, the
 * unit dies and is not run again.
 *
 * **Outside of any unit** every call of a store is a unit by itself: it reads
 * what is committed, stores all of its rows or none, and locks nothing beyond
 * its own end.
 *
 * **Fibers.** A fiber that is forked within is part of the unit while that lasts.
 * What it stores afterwards is no part of it: a storage refuses it or takes it as
 * a unit by itself, and never says of something that it is stored which is not.
 * What it reads then is not promised.
 *
 * **Defects.** A storage that cannot be reached, or gives up waiting for others,
 * dies with a defect whose `_tag` is `DatabaseUnavailable`, and `contended: true`
 * where others were the reason. It is answered as unavailable, to be tried again;
 * every other defect is a fault.
 *
 * @category ports
 */
export class UnitOfWork extends Context.Tag("@trailbook/core/UnitOfWork")<
  UnitOfWork,
  {
    /**
     * Work inside work joins the unit around it. When it fails, what it stored is
     * undone, whatever the work around it makes of that; its locks may last until
     * the whole unit ends.
     */
    readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Reads that all see the same moment, and that keep nobody from writing. In a
     * unit of work they see what that has stored so far. Nothing is written within:
     * a write is a defect and leaves nothing, also in a `run` within the snapshot,
     * and a storage may refuse such a `run` from the start.
     */
    readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}
