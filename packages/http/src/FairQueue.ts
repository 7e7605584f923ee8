/**
 * Who is served next where not all can be served at once: of one org so many at a
 * time, of all together so many, and one org after the other. Whoever asks for a
 * lot waits for himself, and not others for him.
 *
 * On SQLite a request may be over without having waited for anything. Were its
 * place free at once, all that have come would be served one after the other
 * before the event loop looks for anybody else; so it is kept for one turn of it.
 */
import * as Effect from "effect/Effect"

/** Runs work when it is the org's turn. */
export type FairQueue = <A, E, R>(orgId: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const make = ({ all, each }: { readonly each: number; readonly all: number }): FairQueue => {
  const running = new Map<string, number>()
  let total = 0
  /** By org, the org whose turn is next first. */
  const waiting = new Map<string, Array<() => void>>()

  const isFree = (orgId: string): boolean => total < all && (running.get(orgId) ?? 0) < each

  const begin = (orgId: string): void => {
    total++
    running.set(orgId, (running.get(orgId) ?? 0) + 1)
  }

  const next = (): void => {
    for (const [orgId, queue] of waiting) {
      if (total >= all) return
      if (!isFree(orgId)) continue
      const first = queue.shift()
      // It goes to the end of the line, if it still waits for anything.
      waiting.delete(orgId)
      if (queue.length > 0) waiting.set(orgId, queue)
      if (first === undefined) continue
      begin(orgId)
      first()
    }
  }

  const end = (orgId: string) =>
    Effect.sync(() => {
      setImmediate(() => {
        total--
        const left = (running.get(orgId) ?? 1) - 1
        if (left === 0) running.delete(orgId)
        else running.set(orgId, left)
        next()
      })
    })

  const turnOf = (orgId: string) =>
    Effect.async<void>((resume) => {
      const begun = () => resume(Effect.void)
      const queue = waiting.get(orgId) ?? []
      queue.push(begun)
      waiting.set(orgId, queue)
      return Effect.sync(() => {
        const at = queue.indexOf(begun)
        if (at >= 0) queue.splice(at, 1)
        if (queue.length === 0 && waiting.get(orgId) === queue) waiting.delete(orgId)
      })
    })

  return (orgId, work) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        if (!isFree(orgId)) return Effect.zipRight(restore(turnOf(orgId)), Effect.ensuring(restore(work), end(orgId)))
        begin(orgId)
        return Effect.ensuring(restore(work), end(orgId))
      })
    )
}
