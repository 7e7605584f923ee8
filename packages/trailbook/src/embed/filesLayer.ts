import { Files, FilesFailed } from "@trailbook/core/file/Files"
import * as FilesFolder from "@trailbook/files/FilesFolder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Host from "./Files.ts"
import { hostFailure } from "./hostFailure.ts"

export const filesLayer = (files: Host.Files | string | undefined): Layer.Layer<Files> => {
  if (files === undefined) return Files.layerNone
  if (typeof files === "string") return FilesFolder.layer({ directory: files })
  const ask = <A>(call: () => Promise<A>) =>
    Effect.tryPromise({
      try: async () => call(),
      catch: (error) => new FilesFailed({ message: hostFailure("files", error) })
    })
  return Layer.succeed(
    Files,
    Files.of({
      put: (key, bytes) => Effect.asVoid(ask(() => files.put(key, bytes))),
      get: (key) => Effect.map(ask(() => files.get(key)), Option.fromNullable),
      remove: (key) => Effect.asVoid(ask(() => files.remove(key)))
    })
  )
}
