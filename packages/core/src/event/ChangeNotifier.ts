/**
 * Telling pages that are open that something of their outfitter has changed. Whoever watches is told how far the
 * outfitter has come, and asks for what has changed by themselves, as whoever they are.
 *
 * However many watch however many outfitters, the database is asked once a second, and never while nobody watches.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { EventLog } from "../port/EventLog.ts"

/**
 * @category models
 */
export interface Watcher {
  /**
   * Waits until the org's head is known and is not `seen`, and answers with it: with the newest, however many there
   * were meanwhile. Undefined once the service goes down, when nobody is told of anything any more.
   */
  readonly next: (seen: number | undefined) => Effect.Effect<number | undefined>
}

/**
 * @category services
 */
export class ChangeNotifier extends Context.Tag("@trailbook/core/ChangeNotifier")<
  ChangeNotifier,
  {
    /**
     * How far an org has come, or had come a second ago. Ask before what a page shows is read: whoever has seen
     * this head may have seen more than it counts, and never less.
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
      const watched = new Map<string, Watched>()
      const anybody = yield* Effect.makeLatch(false)
      const state = { over: false, failing: false }

      const look = Effect.gen(function*() {
        const asked = [...watched.keys()]
        const heads = new Map((yield* log.heads(asked)).map(({ head, orgId }) => [orgId, head]))
        state.failing = false
        for (const orgId of asked) {
          const one = watched.get(orgId)
          if (one !== undefined) tell(one, heads.get(orgId) ?? 0)
        }
      })

      // A database that cannot answer now is asked again in a second. It is said once, and not every second.
      const lookAnyhow = Effect.catchAllCause(look, (cause) => {
        if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
        if (state.failing) return Effect.void
        state.failing = true
        return Effect.logWarning("Pages that are open are not told what has changed.", cause)
      })

      yield* Effect.forkScoped(
        Effect.forever(Effect.zipRight(anybody.await, Effect.zipRight(lookAnyhow, Effect.sleep(everyMs))))
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
          return Effect.as(anybody.open, one)
        })

      const end = (orgId: string, one: Watched) =>
        Effect.suspend(() => {
          one.watchers--
          if (one.watchers === 0) watched.delete(orgId)
          return watched.size === 0 ? Effect.asVoid(anybody.close) : Effect.void
        })

      return ChangeNotifier.of({
        head: (orgId) =>
          Effect.suspend(() => {
            const known = watched.get(orgId)?.head
            if (known !== undefined) return Effect.succeed(known)
            return Effect.map(log.heads([orgId]), ([found]) => found?.head ?? 0)
          }),
        watch: (orgId) =>
          Effect.map(
            Effect.acquireRelease(begin(orgId), (one) => end(orgId, one)),
            (one): Watcher => ({
              next: (seen) =>
                Effect.async((resume) => {
                  const look = () => {
                    if (!state.over && (one.head === undefined || one.head === seen)) return
                    one.waiting.delete(look)
                    resume(Effect.succeed(state.over ? undefined : one.head))
                  }
                  one.waiting.add(look)
                  look()
                  return Effect.sync(() => one.waiting.delete(look))
                })
            })
          )
      })
    })
  )
}

interface Watched {
  watchers: number
  /** Undefined until it was looked for. */
  head: number | undefined
  readonly waiting: Set<() => void>
}

const everyMs = 1000

const tell = (one: Watched, head: number): void => {
  if (one.head === head) return
  one.head = head
  wake(one)
}

const wake = ({ waiting }: Watched): void => {
  for (const look of waiting) look()
}
