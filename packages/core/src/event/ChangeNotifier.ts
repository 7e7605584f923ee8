/**
 * Notifies open pages of changes in their org. A watcher receives the new head of the org's log and then reads the
 * changes with its own permissions.
 *
 * The database is polled once a second for all watchers together. Without watchers, it is not polled.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { EventLog } from "../port/EventLog.ts"

export interface Watcher {
  /** Waits until the org's head differs from `lastHead`, and returns the newest head. Returns undefined on shutdown. */
  readonly next: (lastHead: number | undefined) => Effect.Effect<number | undefined>
}

export class ChangeNotifier extends Context.Tag("@trailbook/core/ChangeNotifier")<
  ChangeNotifier,
  {
    /**
     * Returns an org's head, which is at most a second old. Read the head before a page's data, so that the data can be
     * newer than the head but never older.
     */
    readonly head: (orgId: string) => Effect.Effect<number>
    /** Watches an org until the scope closes. */
    readonly watch: (orgId: string) => Effect.Effect<Watcher, never, Scope.Scope>
  }
>() {
  static readonly layer = Layer.scoped(
    ChangeNotifier,
    Effect.gen(function*() {
      const log = yield* EventLog
      const watched = new Map<string, WatchedOrg>()
      const hasWatchers = yield* Effect.makeLatch(false)
      const state = { over: false, failing: false }

      const look = Effect.gen(function*() {
        const orgIds = [...watched.keys()]
        const heads = new Map((yield* log.heads(orgIds)).map(({ head, orgId }) => [orgId, head]))
        state.failing = false
        for (const orgId of orgIds) {
          const one = watched.get(orgId)
          if (one !== undefined) tell(one, heads.get(orgId) ?? 0)
        }
      })

      // If the database is unavailable, poll again in a second. Log only the first failure.
      const lookAnyhow = Effect.catchAllCause(look, (cause) => {
        if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
        if (state.failing) return Effect.void
        state.failing = true
        return Effect.logWarning("Could not check for changes to show on open pages", cause)
      })

      yield* Effect.forkScoped(
        Effect.forever(Effect.zipRight(hasWatchers.await, Effect.zipRight(lookAnyhow, Effect.sleep(everyMs))))
      )
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          state.over = true
          for (const one of watched.values()) wake(one)
        })
      )

      const begin = (orgId: string) =>
        Effect.suspend(() => {
          const one = watched.get(orgId) ?? { watchers: 0, head: undefined, waiting: new Set() }
          one.watchers++
          watched.set(orgId, one)
          return Effect.as(hasWatchers.open, one)
        })

      const end = (orgId: string, one: WatchedOrg) =>
        Effect.suspend(() => {
          one.watchers--
          if (one.watchers === 0) watched.delete(orgId)
          return watched.size === 0 ? Effect.asVoid(hasWatchers.close) : Effect.void
        })

      return ChangeNotifier.of({
        head: (orgId) =>
          Effect.suspend(() => {
            const head = watched.get(orgId)?.head
            if (head !== undefined) return Effect.succeed(head)
            return Effect.map(log.heads([orgId]), ([row]) => row?.head ?? 0)
          }),
        watch: (orgId) =>
          Effect.map(
            Effect.acquireRelease(begin(orgId), (one) => end(orgId, one)),
            (one): Watcher => ({
              next: (lastHead) =>
                Effect.async((resume) => {
                  const resumeIfChanged = () => {
                    if (!state.over && (one.head === undefined || one.head === lastHead)) return
                    one.waiting.delete(resumeIfChanged)
                    resume(Effect.succeed(state.over ? undefined : one.head))
                  }
                  one.waiting.add(resumeIfChanged)
                  resumeIfChanged()
                  return Effect.sync(() => one.waiting.delete(resumeIfChanged))
                })
            })
          )
      })
    })
  )
}

interface WatchedOrg {
  watchers: number
  /** The org's head. Undefined before the first poll. */
  head: number | undefined
  readonly waiting: Set<() => void>
}

const everyMs = 1000

const tell = (one: WatchedOrg, head: number): void => {
  if (one.head === head) return
  one.head = head
  wake(one)
}

const wake = ({ waiting }: WatchedOrg): void => {
  for (const look of waiting) look()
}
