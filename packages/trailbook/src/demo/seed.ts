import type { Files } from "@trailbook/core/file/Files"
import * as TaskHandlers from "@trailbook/core/handler/TaskHandlers"
import { Ids } from "@trailbook/core/port/Ids"
import { Tasks } from "@trailbook/core/task/Tasks"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { UsageError } from "../command/CommandError.ts"
import { engine } from "../runtime/engine.ts"
import { makeIds } from "../runtime/makeIds.ts"
import { agent } from "./agent.ts"
import * as DemoPayments from "./DemoPayments.ts"
import { type Guest, guests } from "./guests.ts"
import { seededBytes, shuffle } from "./seededRandom.ts"
import { story } from "./story.ts"
import * as StoryClock from "./StoryClock.ts"

/** At the moment of the story's end; its mails leave at once. */
const agentPart = (
  cast: ReadonlyArray<Guest>,
  now: Instant,
  offerings: Parameters<typeof agent>[0]["offerings"],
  orgId: string,
  nearlyEmptySession: string
) =>
  Effect.gen(function*() {
    const guest = cast.at(-1)
    if (guest === undefined) return
    yield* agent({ guest, nearlyEmptySession, now, offerings, orgId })
    yield* (yield* Tasks).run(10)
  })

/**
 * Fills a storage with the demo's outfitter, sends the mails that go with it,
 * and answers with the org and its offerings. The same seed makes
 * the same ids, guests and bookings on the same day. It makes no API key: a key
 * that a seed can make again is no key.
 */
export const seed = (given: {
  readonly seed: number
  readonly now: Instant
  readonly publicUrl: string
  /** Where a picture that a guest sends is kept. */
  readonly files: Layer.Layer<Files, UsageError>
}) =>
  Effect.suspend(() => {
    const bytes = seededBytes(given.seed)
    const clock = StoryClock.make(given.now)
    const ids = makeIds({ bytes, now: () => clock.unsafeCurrentTimeMillis() })
    const cast = shuffle(guests, bytes)
    return story({ cast, clock, now: given.now, seed: given.seed }).pipe(
      Effect.tap(({ nearlyEmptySession, offerings, org }) =>
        agentPart(cast, given.now, offerings, org.id, nearlyEmptySession)
      ),
      // Its own engine: services keep the clock and the ids that they were made with.
      Effect.provide(
        Layer.provideMerge(
          TaskHandlers.layer({ publicUrl: given.publicUrl }),
          engine(Layer.succeed(Ids, ids), "direct", {
            payments: DemoPayments.layer,
            publicUrl: given.publicUrl,
            files: given.files
          })
        )
      ),
      // Refunds of long ago are no news.
      Logger.withMinimumLogLevel(LogLevel.Warning),
      Effect.withClock(clock)
    )
  })
