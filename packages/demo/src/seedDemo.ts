import type { Refusal } from "@trailbook/core"
import type { Files } from "@trailbook/core/file"
import { TaskHandlers } from "@trailbook/core/handler"
import type { Mailer } from "@trailbook/core/mail"
import { Ids } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { Tasks } from "@trailbook/core/task"
import type { Instant } from "@trailbook/core/time/Instant"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { makeIds } from "@trailbook/runtime/makeIds"
import type { UsageError } from "@trailbook/server/setting/UsageError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as DemoPayments from "./DemoPayments.ts"
import { type Guest, guests } from "./guests.ts"
import { addPhotos, demoResizer } from "./photo/addPhotos.ts"
import { runStory } from "./runStory.ts"
import { makeSeededByteSource, shuffle } from "./seededRandom.ts"
import { setUpAgent } from "./setUpAgent.ts"
import * as StoryClock from "./StoryClock.ts"

/** Runs the ops agent's part of the story at the current time and sends the resulting email. */
const runAgent = (
  cast: ReadonlyArray<Guest>,
  now: Instant,
  offerings: Parameters<typeof setUpAgent>[0]["offerings"],
  orgId: string,
  nearlyEmptySession: string
) =>
  Effect.gen(function*() {
    const guest = cast.at(-1)
    if (guest === undefined) return
    yield* setUpAgent({ guest, nearlyEmptySession, now, offerings, orgId })
    yield* (yield* Tasks).run(10)
  })

/**
 * Fills storage with the demo outfitter's data, sends the related email, and returns the org and its offerings. The
 * same seed on the same day produces the same IDs, guests, and bookings. Does not create an API key, because a key that
 * can be computed from a seed is not secret.
 */
export const seedDemo = (options: {
  readonly seed: number
  readonly now: Instant
  readonly publicUrl: string
  /** Stores the picture that a guest sends. */
  readonly files: Layer.Layer<Files, UsageError>
}): Effect.Effect<
  Effect.Effect.Success<ReturnType<typeof runStory>>,
  Refusal | UsageError,
  Mailer | Storage
> =>
  Effect.suspend(() => {
    const bytes = makeSeededByteSource(options.seed)
    const clock = StoryClock.make(options.now)
    const ids = makeIds({ bytes, now: () => clock.unsafeCurrentTimeMillis() })
    const cast = shuffle(guests, bytes)
    return runStory({ cast, clock, now: options.now, seed: options.seed }).pipe(
      Effect.tap(({ nearlyEmptySession, offerings, org }) =>
        runAgent(cast, options.now, offerings, org.id, nearlyEmptySession)
      ),
      Effect.tap(({ offerings, org }) => addPhotos(org.id, offerings)),
      // Build a separate engine, because services keep the clock and the ID generator they were created with.
      Effect.provide(
        Layer.provideMerge(
          TaskHandlers.layer({ publicUrl: options.publicUrl }),
          engineLayer(Layer.succeed(Ids, ids), "none", {
            payments: DemoPayments.layer,
            publicUrl: options.publicUrl,
            files: Layer.merge(options.files, demoResizer)
          })
        )
      ),
      // Do not log the refunds of past bookings.
      Logger.withMinimumLogLevel(LogLevel.Warning),
      Effect.withClock(clock)
    )
  })
