import { invalid, type Refusal } from "@trailbook/core"
import { type Files, PhotoResizer, Photos } from "@trailbook/core/file"
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
import { guests } from "./outfitter.ts"
import { scenePhotos } from "./photos.ts"
import { makeStoryClock, runStory } from "./runStory.ts"
import { type TripKey, tripKeys } from "./season.ts"
import { makeSeededByteSource, shuffle } from "./seededRandom.ts"
import { setUpAgent } from "./setUpAgent.ts"

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
    const clock = makeStoryClock(options.now)
    const ids = makeIds({ bytes, now: () => clock.unsafeCurrentTimeMillis() })
    const cast = shuffle(guests, bytes)
    return Effect.gen(function*() {
      const story = yield* runStory({ cast, clock, now: options.now, seed: options.seed })
      const { nearlyEmptySession, offerings, org } = story
      const guest = cast.at(-1)
      if (guest !== undefined) {
        yield* setUpAgent({ guest, nearlyEmptySession, now: options.now, offerings, orgId: org.id })
        yield* (yield* Tasks).run(10)
      }
      yield* addPhotos(org.id, offerings)
      return story
    }).pipe(
      // Build a separate engine, because services keep the clock and the ID generator they were created with.
      Effect.provide(
        Layer.provideMerge(
          TaskHandlers.layer({ publicUrl: options.publicUrl }),
          engineLayer(Layer.succeed(Ids, ids), "none", {
            payments: DemoPayments.layer,
            publicUrl: options.publicUrl,
            files: Layer.merge(options.files, demoPhotoResizerLayer)
          })
        )
      ),
      // Do not log the refunds of past bookings.
      Logger.withMinimumLogLevel(LogLevel.Warning),
      Effect.withClock(clock)
    )
  })

/** The height of a scene is two thirds of its width. */
const sceneWidth = 1200

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"))

/**
 * Looks up the photos, which are stored in both sizes. Does not resize them, because the demo also runs without an
 * image library.
 */
const demoPhotoResizerLayer = Layer.succeed(
  PhotoResizer,
  PhotoResizer.of({
    resize: (bytes) => {
      const text = Buffer.from(bytes).toString("base64")
      const photo = Object.values(scenePhotos).flat().find(({ large }) => large === text)
      return photo === undefined
        ? invalid("file: is not a demo photo")
        : Effect.succeed({
          width: sceneWidth,
          height: sceneWidth * 2 / 3,
          files: { 800: bytesOf(photo.small), 1600: bytes }
        })
    }
  })
)

const addPhotos = (orgId: string, offerings: Readonly<Record<TripKey, string>>) =>
  Effect.flatMap(Photos, ({ add }) =>
    Effect.forEach(tripKeys, (trip) =>
      Effect.forEach(
        scenePhotos[trip],
        ({ alt, large }) => add({ orgId, id: offerings[trip] }, { alt, bytes: bytesOf(large) })
      ), { discard: true }))
