import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"
import { Handover } from "@trailbook/core/operation/Handover"
import type { Tell } from "@trailbook/core/operation/Part"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import { JsonStreamWriter } from "./JsonStreamWriter.ts"
import type { Reply } from "./Reply.ts"
import { unsent } from "./unsent.ts"

/**
 * Responses up to this many characters are sent with their length. Longer ones are streamed in chunks of about this
 * size.
 */
const pieceLength = 64 * 1024

/**
 * Streams a response in chunks. Errors before the first chunk become regular error responses. The producer yields to
 * other work after each chunk and pauses while `held` characters are unread. If unread responses exceed the shared
 * memory limit, the largest response of one org is aborted.
 */
export const streamReply = <E, R>(
  status: number,
  telling: (tell: Tell) => Effect.Effect<void, E, R>,
  held: number,
  orgId: string
): Effect.Effect<Reply, E, R> =>
  Effect.gen(function*() {
    const begun = yield* Deferred.make<Reply, E>()
    const begin = (exit: Exit.Exit<Reply, E>) => Deferred.unsafeDone(begun, exit)
    const pieces = new Handover<string>(held, ({ length }) => length)
    const json = new JsonStreamWriter()
    let text = ""
    let isStreamed = false
    const release = unsent.add({
      source: orgId,
      bytes: () => pieces.size,
      giveWay: () => {
        pieces.end(Exit.interrupt(FiberId.none))
        stop()
      }
    })
    const give = (piece: string) => {
      unsent.grew(piece.length)
      return pieces.give(piece)
    }
    const next = async () => {
      const piece = await pieces.take().catch((cause: unknown) => {
        release()
        throw cause
      })
      if (piece === undefined) release()
      return piece
    }

    const tell: Tell = (part) =>
      Effect.suspend(() => {
        text += json.add(part)
        if (text.length < pieceLength) return Effect.void
        const piece = text
        text = ""
        isStreamed = true
        begin(Exit.succeed({ status, body: { next, stop } }))
        return Effect.zipRight(Effect.suspend(() => give(piece)), yieldToEventLoop)
      })
    const ended = Effect.suspend(() => {
      const end = text + json.end()
      if (isStreamed) return give(end)
      begin(Exit.succeed({ status, body: end }))
      return Effect.void
    })

    const maker = yield* Effect.forkDaemon(Effect.zipRight(telling(tell), ended))
    const stop = () => {
      release()
      pieces.stop()
      maker.unsafeInterruptAsFork(maker.id())
    }
    maker.addObserver((exit) => {
      pieces.end(exit)
      // An error before the first chunk is a regular error response.
      if (Exit.isFailure(exit)) begin(Exit.failCause(exit.cause))
      if (!isStreamed) release()
    })
    return yield* Effect.onInterrupt(Deferred.await(begun), () => Fiber.interrupt(maker))
  })
