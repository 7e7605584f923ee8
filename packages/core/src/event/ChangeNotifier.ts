/**
 * Notifies open pages of changes in their org. A watcher receives the new head of the org's log and then reads the
 * changes with its own permissions.
 *
 * One database poll per second serves all watchers. If there are no watchers, the database is not polled.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { EventLog } from "../port/EventLog.ts"

export interface ChangeWatcher {
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
    readonly watch: (orgId: string) => Effect.Effect<ChangeWatcher, never, Scope.Scope>
  }
>() {
  static readonly layer = Layer.scoped(ChangeNotifier, Effect.suspend(() => makeChangeNotifier))
}

const makeChangeNotifier = Effect.gen(function*() {
  const log = yield* EventLog
  const watchedOrgs = new Map<string, WatchedOrg>()
  const hasWatchers = yield* Effect.makeLatch(false)
  const state = { isStopped: false, isFailing: false }

  const poll = Effect.gen(function*() {
    const orgIds = [...watchedOrgs.keys()]
    const heads = new Map((yield* log.heads(orgIds)).map(({ head, orgId }) => [orgId, head]))
    state.isFailing = false
    for (const orgId of orgIds) {
      const watchedOrg = watchedOrgs.get(orgId)
      if (watchedOrg !== undefined) updateHead(watchedOrg, heads.get(orgId) ?? 0)
    }
  })

  // If the database is unavailable, poll again in a second. Log only the first failure.
  const pollSafely = Effect.catchAllCause(poll, (cause) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    if (state.isFailing) return Effect.void
    state.isFailing = true
    return Effect.logWarning("Could not check for changes to show on open pages", cause)
  })

  yield* Effect.forkScoped(
    Effect.forever(Effect.zipRight(hasWatchers.await, Effect.zipRight(pollSafely, Effect.sleep(pollIntervalMs))))
  )
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      state.isStopped = true
      for (const watchedOrg of watchedOrgs.values()) notifyWaiting(watchedOrg)
    })
  )

  const addWatcher = (orgId: string) =>
    Effect.suspend(() => {
      const watchedOrg = watchedOrgs.get(orgId) ?? { watchers: 0, head: undefined, waiting: new Set() }
      watchedOrg.watchers++
      watchedOrgs.set(orgId, watchedOrg)
      return Effect.as(hasWatchers.open, watchedOrg)
    })

  const removeWatcher = (orgId: string, watchedOrg: WatchedOrg) =>
    Effect.suspend(() => {
      watchedOrg.watchers--
      if (watchedOrg.watchers === 0) watchedOrgs.delete(orgId)
      return watchedOrgs.size === 0 ? Effect.asVoid(hasWatchers.close) : Effect.void
    })

  return ChangeNotifier.of({
    head: (orgId) =>
      Effect.suspend(() => {
        const head = watchedOrgs.get(orgId)?.head
        if (head !== undefined) return Effect.succeed(head)
        return Effect.map(log.heads([orgId]), ([row]) => row?.head ?? 0)
      }),
    watch: (orgId) =>
      Effect.map(
        Effect.acquireRelease(addWatcher(orgId), (watchedOrg) => removeWatcher(orgId, watchedOrg)),
        (watchedOrg): ChangeWatcher => ({
          next: (lastHead) =>
            Effect.async((resume) => {
              const resumeIfChanged = () => {
                if (!state.isStopped && (watchedOrg.head === undefined || watchedOrg.head === lastHead)) return
                watchedOrg.waiting.delete(resumeIfChanged)
                resume(Effect.succeed(state.isStopped ? undefined : watchedOrg.head))
              }
              watchedOrg.waiting.add(resumeIfChanged)
              resumeIfChanged()
              return Effect.sync(() => watchedOrg.waiting.delete(resumeIfChanged))
            })
        })
      )
  })
})

interface WatchedOrg {
  watchers: number
  /** The org's head. Undefined before the first poll. */
  head: number | undefined
  readonly waiting: Set<() => void>
}

const pollIntervalMs = 1000

const updateHead = (watchedOrg: WatchedOrg, head: number): void => {
  if (watchedOrg.head === head) return
  watchedOrg.head = head
  notifyWaiting(watchedOrg)
}

const notifyWaiting = ({ waiting }: WatchedOrg): void => {
  for (const resume of waiting) resume()
}
