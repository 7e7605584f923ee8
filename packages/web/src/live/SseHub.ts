/**
 * Server-sent event streams that notify dashboard pages of changes. An event contains only the value of the org's
 * change counter. The page then refetches itself with its viewer's permissions. A stream ends when the client stops
 * reading, when the sign-in session ends, when the server shuts down, and at the latest after 30 minutes. The client
 * then reconnects and is authenticated again.
 */
import { ChangeNotifier } from "@trailbook/core/event"
import { BoundedQueue } from "@trailbook/core/operation"
import { HttpFailure } from "@trailbook/http/HttpFailure"
import type { Reply } from "@trailbook/http/response/Reply"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { get } from "../defineRoute.ts"
import type { StaffAuth } from "../signIn/StaffAuth.ts"

interface SseClient {
  readonly orgId: string
  readonly loginId: string
  /**
   * Whether the client is still signed in. The stream checks this after each change. A staff member who has signed out
   * or been removed from the team receives no more events.
   */
  readonly isSignedIn: Effect.Effect<boolean>
  /** Aborted when the server shuts down. */
  readonly goingDown: AbortSignal | undefined
}

export const make = ({ watch }: ChangeNotifier["Type"]) => {
  const reserveConnection = makeConnectionLimit()

  const sendEvents = ({ isSignedIn, orgId }: SseClient, queue: BoundedQueue<string>) => {
    // A client that does not read for 1 minute is disconnected.
    const sendChunk = (chunk: string) => Effect.timeout(queue.offer(chunk), "1 minute")
    return Effect.gen(function*() {
      const { next } = yield* watch(orgId)
      yield* sendChunk(keepAlive)
      let lastHead: number | undefined
      while (true) {
        const change = yield* Effect.timeoutTo(next(lastHead), {
          duration: "20 seconds",
          onSuccess: (head) => ({ head }),
          onTimeout: () => undefined
        })
        if (change === undefined) {
          yield* sendChunk(keepAlive)
          continue
        }
        if (change.head === undefined) return
        if (lastHead !== undefined && !(yield* isSignedIn)) return
        lastHead = change.head
        yield* sendChunk(`data: ${lastHead}\n\n`)
      }
    }).pipe(Effect.scoped, Effect.timeoutOption(maxDuration), Effect.ignore)
  }

  return {
    open: (listener: SseClient): Effect.Effect<Reply, HttpFailure> =>
      Effect.suspend(() => {
        const { goingDown } = listener
        if (goingDown?.aborted === true) return Effect.fail(shutdownFailure)
        const release = reserveConnection(listener)
        if (release === undefined) return Effect.fail(limitFailure)
        const queue = new BoundedQueue<string>(1)
        return Effect.map(Effect.forkDaemon(sendEvents(listener, queue)), (sender): Reply => {
          const stop = () => sender.unsafeInterruptAsFork(sender.id())
          goingDown?.addEventListener("abort", stop)
          sender.addObserver((exit) => {
            goingDown?.removeEventListener("abort", stop)
            release()
            // An interruption ends the stream normally, so the browser reconnects. Other failures are logged.
            queue.end(Exit.isInterrupted(exit) ? Exit.void : exit)
          })
          const close = () => {
            queue.shutdown()
            stop()
          }
          return { status: 200, headers, body: { next: () => queue.take(), isOver: () => true, stop: close } }
        })
      })
  }
}

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // Proxies must not cache or compress the stream, because compression delays events.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "cross-origin-resource-policy": "same-origin"
}

/** A keep-alive comment, which clients ignore. Without these comments, proxies would close idle connections. */
const keepAlive = ":\n\n"

const maxDuration = Duration.minutes(30)

const limitFailure = new HttpFailure(
  { code: "rate_limited", message: "Too many pages are open. Close some of them." },
  { "retry-after": "30" },
  429
)

const shutdownFailure = new HttpFailure({ code: "unavailable", message: "The server is shutting down." }, {
  "retry-after": "1"
})

/** The maximum number of concurrent streams. Each stream occupies a connection that guests may need. */
const maxStreams = { login: 12, org: 200, all: 600 }

/**
 * Limits concurrent event streams per sign-in session, per org, and in total. Returns a function that reserves a
 * connection and returns the function that releases it, or undefined if a limit is reached. Releasing a connection
 * again has no effect.
 */
const makeConnectionLimit = () => {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  return ({ loginId, orgId }: SseClient) => {
    const places = [
      ["all", maxStreams.all],
      [`org ${orgId}`, maxStreams.org],
      [`login ${loginId}`, maxStreams.login]
    ] as const
    if (places.some(([key, many]) => countOf(key) >= many)) return undefined
    for (const [key] of places) counts.set(key, countOf(key) + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      for (const [key] of places) {
        if (countOf(key) > 1) counts.set(key, countOf(key) - 1)
        else counts.delete(key)
      }
    }
  }
}

/** Creates the route for the event stream that the pages of signed-in staff members open. */
export const liveRoutes = (who: StaffAuth) =>
  Effect.gen(function*() {
    const { open } = make(yield* ChangeNotifier)

    return [
      get({ caller: { scope: "read", find: who.find } }, "/dashboard/stream", "dashboard.stream", (routeRequest) => {
        const { actor: { orgId }, goingDown, request } = routeRequest
        if (request.method === "HEAD") return Effect.succeed({ status: 200, body: null, headers: headers })
        return Effect.flatMap(
          who.authenticate(request),
          // If the host application authenticated the staff member, there is no sign-in session, so the limit applies
          // per staff member.
          ({ login: { id, staffId } }) =>
            open({ orgId, loginId: id || staffId, isSignedIn: who.isStillSignedIn(request), goingDown })
        )
      })
    ]
  })
