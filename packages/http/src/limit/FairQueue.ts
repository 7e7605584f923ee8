/**
 * Limits concurrent requests, both per org and in total. Waiting orgs are served round-robin, so a busy org delays only
 * its own requests.
 *
 * On SQLite, a request can finish without yielding. If it released its slot immediately, the entire queue would drain
 * before the event loop could handle other work. A slot is therefore released in the next turn of the event loop.
 */
import * as Effect from "effect/Effect"

/** Runs work once the org has a free slot. */
export type FairQueue = <A, E, R>(orgId: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const make = ({ all, each }: { readonly each: number; readonly all: number }): FairQueue => {
  const runningCounts = new Map<string, number>()
  let total = 0
  /** Waiting work by org. The org at the front of the map is served next. */
  const queues = new Map<string, Array<() => void>>()

  const isFree = (orgId: string): boolean => total < all && (runningCounts.get(orgId) ?? 0) < each

  const begin = (orgId: string): void => {
    total++
    runningCounts.set(orgId, (runningCounts.get(orgId) ?? 0) + 1)
  }

  const next = (): void => {
    for (const [orgId, queue] of queues) {
      if (total >= all) return
      if (!isFree(orgId)) continue
      const first = queue.shift()
      // An org that still has work waiting moves to the back of the queue.
      queues.delete(orgId)
      if (queue.length > 0) queues.set(orgId, queue)
      if (first === undefined) continue
      begin(orgId)
      first()
    }
  }

  const end = (orgId: string) =>
    Effect.sync(() => {
      setImmediate(() => {
        total--
        const count = (runningCounts.get(orgId) ?? 1) - 1
        if (count === 0) runningCounts.delete(orgId)
        else runningCounts.set(orgId, count)
        next()
      })
    })

  const turnOf = (orgId: string) =>
    Effect.async<void>((resume) => {
      const start = () => resume(Effect.void)
      const queue = queues.get(orgId) ?? []
      queue.push(start)
      queues.set(orgId, queue)
      return Effect.sync(() => {
        const at = queue.indexOf(start)
        if (at >= 0) queue.splice(at, 1)
        if (queue.length === 0 && queues.get(orgId) === queue) queues.delete(orgId)
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
