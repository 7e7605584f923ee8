/**
 * Streams that tell the pages of one browser that something has changed, and never what: the page asks for itself again,
 * as whoever looks at it. Each is a stream of server-sent events whose data is how far the outfitter has come.
 *
 * A stream ends when nobody takes what it tells, when its login was ended, when the server goes down, and after half an
 * hour: whoever still looks asks for another one, and it is seen again who they are.
 */
import type { ChangeNotifier } from "@trailbook/core/event/ChangeNotifier"
import { Handover } from "@trailbook/core/operation/Handover"
import { Failure } from "@trailbook/http/Failure"
import type { Reply } from "@trailbook/http/Reply"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Room from "./ConnectionLimit.ts"

export interface SseClient {
  readonly orgId: string
  readonly loginId: string
  /** Asked after every change: whoever has signed out, or is one of the staff no more, is told nothing. */
  readonly isSignedIn: Effect.Effect<boolean>
  /** Aborted when the server goes down. */
  readonly goingDown: AbortSignal | undefined
}

export interface SseHub {
  readonly open: (listener: SseClient) => Effect.Effect<Reply, Failure>
}

export const make = ({ watch }: ChangeNotifier["Type"]): SseHub => {
  const room = Room.make({ login: 12, org: 200, all: 600 })

  const telling = ({ isSignedIn, orgId }: SseClient, pieces: Handover<string>) => {
    // What is not taken for so long is taken by nobody.
    const give = (piece: string) => Effect.timeout(pieces.give(piece), "1 minute")
    return Effect.gen(function*() {
      const { next } = yield* watch(orgId)
      yield* give(comment)
      let seen: number | undefined
      while (true) {
        const head = yield* Effect.timeoutTo(next(seen), {
          duration: "20 seconds",
          onSuccess: (head) => ({ head }),
          onTimeout: () => undefined
        })
        if (head === undefined) {
          yield* give(comment)
          continue
        }
        if (head.head === undefined) return
        if (seen !== undefined && !(yield* isSignedIn)) return
        seen = head.head
        yield* give(`data: ${seen}\n\n`)
      }
    }).pipe(Effect.scoped, Effect.timeoutOption(lasts), Effect.ignore)
  }

  return {
    open: (listener) =>
      Effect.suspend(() => {
        const { goingDown } = listener
        if (goingDown?.aborted === true) return Effect.fail(down)
        const leave = room.enter(listener)
        if (leave === undefined) return Effect.fail(full)
        const pieces = new Handover<string>(1)
        return Effect.map(Effect.forkDaemon(telling(listener, pieces)), (teller): Reply => {
          const stop = () => teller.unsafeInterruptAsFork(teller.id())
          goingDown?.addEventListener("abort", stop)
          teller.addObserver((exit) => {
            goingDown?.removeEventListener("abort", stop)
            leave()
            // Whatever ended it, the browser asks again; what it died of is for the log.
            pieces.end(Exit.isInterrupted(exit) ? Exit.void : exit)
          })
          const over = () => {
            pieces.stop()
            stop()
          }
          return { status: 200, headers, body: { next: () => pieces.take(), isOver: () => true, stop: over } }
        })
      })
  }
}

export const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // Whoever stands between must neither keep it nor pack it: what is packed arrives late.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "cross-origin-resource-policy": "same-origin"
}

/** Nobody is told of it, and proxies see that there is still somebody. */
const comment = ":\n\n"

const lasts = Duration.minutes(30)

const full = new Failure(
  { code: "rate_limited", message: "Too many pages listen at once. Close some." },
  { "retry-after": "30" },
  429
)

const down = new Failure({ code: "unavailable", message: "The server goes down." }, { "retry-after": "1" })
