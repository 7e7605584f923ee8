/**
 * In-memory files, with failures on demand.
 *
 * Guarantees:
 * - It satisfies the `Files` contract, unless it is set to refuse.
 * - A refused call fails with `FilesFailed` and changes nothing.
 * - Its contents can be listed by key.
 */
import { Files, FilesFailed } from "@trailbook/core/file"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

export class FakeFiles extends Context.Tag("@trailbook/testkit/FakeFiles")<
  FakeFiles,
  {
    /** The current contents. */
    readonly contents: Effect.Effect<ReadonlyMap<string, Uint8Array>>
    /** Makes every call fail, or lets calls succeed again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeFiles | Files> = Layer.effectContext(
    Effect.sync(() => {
      const files = new Map<string, Uint8Array>()
      const state = { refuses: false }
      const attempt = <A>(work: () => A): Effect.Effect<A, FilesFailed> =>
        Effect.suspend(() =>
          state.refuses ? new FilesFailed({ message: "The file storage is unavailable." }) : Effect.sync(work)
        )
      return Context.make(
        FakeFiles,
        FakeFiles.of({
          contents: Effect.sync(() => new Map(files)),
          refuse: (refuses) =>
            Effect.sync(() => {
              state.refuses = refuses
            })
        })
      ).pipe(Context.add(
        Files,
        Files.of({
          put: (key, bytes) => attempt(() => void files.set(key, bytes.slice())),
          get: (key) => attempt(() => Option.map(Option.fromNullable(files.get(key)), streamOf)),
          remove: (key) => attempt(() => void files.delete(key))
        })
      ))
    })
  )
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes.slice())
      controller.close()
    }
  })
