/**
 * Simulates worst-case conditions for a storage adapter. Every port call yields to other fibers, so that units of work
 * interleave as much as the storage allows. Occasionally, the connection drops, either before a unit of work or right
 * after its commit.
 */
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

export class ConnectionLostError extends Data.TaggedError("ConnectionLostError")<{}> {}

export interface FaultSchedule {
  /** How many times to yield before each port call. */
  readonly pause: () => number
  /** Returns whether to drop the connection now. */
  readonly losesConnection: () => boolean
}

export const injectFaults = (
  storage: Context.Context<Storage>,
  { losesConnection: loses, pause }: FaultSchedule
): Context.Context<Storage> => {
  const delay = Effect.suspend(() => yieldRepeatedly(pause()))
  const maybeDisconnect = Effect.suspend(() => loses() ? Effect.die(new ConnectionLostError()) : Effect.void)
  const units = Context.get(storage, UnitOfWork)
  return storage.pipe(
    Context.add(UnitOfWork, {
      ...units,
      run: (work) =>
        Effect.zipLeft(Effect.zipRight(Effect.zipRight(delay, maybeDisconnect), units.run(work)), maybeDisconnect),
      snapshot: (reads) => Effect.zipRight(delay, units.snapshot(reads))
    }),
    Context.add(BookingStore, withDelays(Context.get(storage, BookingStore), delay)),
    Context.add(CustomerStore, withDelays(Context.get(storage, CustomerStore), delay)),
    Context.add(EventLog, withDelays(Context.get(storage, EventLog), delay)),
    Context.add(OfferingStore, withDelays(Context.get(storage, OfferingStore), delay)),
    Context.add(OrgStore, withDelays(Context.get(storage, OrgStore), delay)),
    Context.add(TaskStore, withDelays(Context.get(storage, TaskStore), delay)),
    Context.add(SessionStore, withDelays(Context.get(storage, SessionStore), delay))
  )
}

export const yieldRepeatedly = (times: number): Effect.Effect<void> =>
  times === 0 ? Effect.void : Effect.repeatN(Effect.yieldNow(), times - 1)

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>

const withDelays = <Port extends object>(port: Port, delay: Effect.Effect<void>): Port =>
  // Every port method returns an effect. Arguments and results are unchanged.
  Object.fromEntries(
    Object.entries(port).map(([name, member]: readonly [string, Method | Effect.Effect<unknown>]) => [
      name,
      typeof member === "function"
        ? (...args: ReadonlyArray<unknown>) => Effect.zipRight(delay, member(...args))
        : Effect.zipRight(delay, member)
    ])
  ) as Port
