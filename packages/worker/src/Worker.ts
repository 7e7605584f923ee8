/**
 * What a booking service does by itself: events to webhooks and to the program
 * itself, mails, refunds, holds that ran out, and large cancellations and erasures
 * that were begun and left. Any number of workers may run over one database, beside
 * servers or inside them.
 *
 * @example
 * import * as Worker from "@trailbook/worker/Worker"
 *
 * const program = Worker.layer({ grace: "10 seconds" })
 */
import type { Bookings } from "@trailbook/core/booking/Bookings"
import type { Leftovers } from "@trailbook/core/booking/Leftovers"
import type { Subscriber, Subscriptions } from "@trailbook/core/event/Subscriptions"
import type { Tasks } from "@trailbook/core/mail/Tasks"
import type { Deliveries } from "@trailbook/core/webhook/Deliveries"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { drained } from "./drained.ts"
import type { Job, Tally } from "./Job.ts"
import { deliveries } from "./job/deliveries.ts"
import { hooks } from "./job/hooks.ts"
import { leftovers } from "./job/leftovers.ts"
import { sweep } from "./job/sweep.ts"
import { tasks } from "./job/tasks.ts"
import { rounds } from "./rounds.ts"

/**
 * The services that do the work.
 *
 * @category models
 */
export type Services = Bookings | Deliveries | Tasks | Leftovers | Subscriptions

/**
 * @category models
 */
export interface Work {
  /** Who in this program is told of events; asked again every time. Nobody, when it is left out. */
  readonly subscribers?: Effect.Effect<ReadonlyArray<Subscriber>>
}

/**
 * @category models
 */
export interface Options extends Work {
  readonly grace: Duration.DurationInput
}

/**
 * Starts every job. When the scope closes, nothing more is claimed and what is
 * under way may come to its end; a second before `grace` is over it is cut off,
 * and the time left is for giving the claims back.
 *
 * @category constructors
 */
export const start = (options: Options): Effect.Effect<void, never, Services | Scope.Scope> =>
  Effect.gen(function*() {
    const stop = yield* Deferred.make<void>()
    const started = yield* Effect.all(yield* each(options, (job) => rounds(job, stop)))
    yield* Effect.addFinalizer(() =>
      Deferred.succeed(stop, undefined).pipe(
        // Finalizers cannot be interrupted, and so could not be timed out.
        Effect.zipRight(Effect.timeoutOption(
          Effect.interruptible(Effect.all(started.map(({ settled }) => settled), { concurrency: "unbounded" })),
          beforeTheEnd(options.grace)
        )),
        Effect.zipRight(Effect.timeoutOption(
          Effect.interruptible(Effect.disconnect(
            Effect.all(started.map(({ cutOff }) => cutOff), { concurrency: "unbounded" })
          )),
          lastMoments
        ))
      )
    )
  })

/**
 * A worker for as long as the layer lives.
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<never, never, Services> => Layer.scopedDiscard(start(options))

/**
 * Does every job until nothing is due, and says what was done.
 *
 * @category effects
 */
export const onceWith = (work: Work): Effect.Effect<Readonly<Record<string, Tally>>, never, Services> =>
  Effect.gen(function*() {
    const done = yield* each(work, (job) => Effect.map(drained(job), (tally) => [job.name, tally] as const))
    return Object.fromEntries(yield* Effect.all(done, { concurrency: "unbounded" }))
  })

/**
 * The same, with nobody to be told of events.
 *
 * @category effects
 */
export const once: Effect.Effect<Readonly<Record<string, Tally>>, never, Services> = onceWith({})

/** The jobs differ in what they claim, so each is handed over by itself. */
const each = <A>(
  { subscribers }: Work,
  take: <Claim>(job: Job<Claim>) => A
): Effect.Effect<ReadonlyArray<A>, never, Services> =>
  Effect.gen(function*() {
    const taken = [
      take(yield* deliveries),
      take(yield* tasks("mail", "mail")),
      take(yield* tasks("refunds", "payments")),
      take(yield* sweep),
      take(yield* leftovers)
    ]
    return subscribers === undefined ? taken : [...taken, take(yield* hooks(subscribers))]
  })

/** A database that is away must not keep the process: what was not given back is free when its lease ends. */
const lastMoments = "1 second"

const beforeTheEnd = (grace: Duration.DurationInput): Duration.Duration => {
  const whole = Duration.toMillis(grace)
  return Duration.millis(Math.max(whole - 1000, whole / 2))
}
