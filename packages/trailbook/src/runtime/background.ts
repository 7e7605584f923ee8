/**
 * What a server does by itself: mails and refunds as soon as they are due, and
 * once a minute the holds that ran out a day ago. What goes wrong is logged and
 * tried again in the next round; nothing ends the rounds but the end of the
 * scope, which lets the one under way come to its end.
 *
 * @since 0.1.0
 */
import { Bookings } from "@trailbook/core/booking/Bookings"
import { Errands } from "@trailbook/core/mail/Errands"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/**
 * Starts it. When the scope closes, a round under way is given `grace` before it
 * is cut off; an errand that is cut off is run again by the next process.
 *
 * @since 0.1.0
 * @category effects
 */
export const background = (grace: Duration.Duration): Effect.Effect<void, never, Bookings | Errands | Scope.Scope> =>
  Effect.gen(function*() {
    const bookings = yield* Bookings
    const errands = yield* Errands
    const stop = yield* Deferred.make<void>()
    const fibers = yield* Effect.forEach([
      rounds({ name: "errands", round: errands.run(50), pause: Duration.millis(500), stop }),
      rounds({ name: "sweep", round: bookings.sweep(100), pause: Duration.minutes(1), stop })
    ], Effect.forkDaemon)
    yield* Effect.addFinalizer(() =>
      Deferred.succeed(stop, undefined).pipe(
        // Finalizers cannot be interrupted, and so could not be timed out.
        Effect.zipRight(Effect.timeoutOption(Effect.interruptible(Fiber.awaitAll(fibers)), grace)),
        Effect.zipRight(Fiber.interruptAll(fibers))
      )
    )
  })

/** One round after the other, at once while there is something to do. */
const rounds = ({ name, pause, round, stop }: {
  readonly name: string
  /** Says how much it did. */
  readonly round: Effect.Effect<number>
  readonly pause: Duration.Duration
  readonly stop: Deferred.Deferred<void>
}): Effect.Effect<void> =>
  Effect.catchAllCause(round, (cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.failCause(cause)
      : Effect.as(Effect.annotateLogs(Effect.logError("A background round failed.", cause), "round", name), 0)).pipe(
      Effect.flatMap((done) => done > 0 ? Effect.yieldNow() : Effect.timeoutOption(Deferred.await(stop), pause)),
      Effect.repeat({ until: () => Deferred.isDone(stop) }),
      Effect.asVoid
    )
