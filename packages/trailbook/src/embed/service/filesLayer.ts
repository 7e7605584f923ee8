import { Files, FilesFailed, type PhotoResizer } from "@trailbook/core/file"
import * as FilesFolder from "@trailbook/files/FilesFolder"
import * as SharpResizer from "@trailbook/files/SharpResizer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { hostFailure } from "../transaction/hostFailure.ts"
import type * as Host from "./Files.ts"

export const filesLayer = (files: Host.Files | string | undefined): Layer.Layer<Files | PhotoResizer> => {
  if (files === undefined) return Layer.merge(Files.layerNone, SharpResizer.layer)
  if (typeof files === "string") return Layer.merge(FilesFolder.layer({ directory: files }), SharpResizer.layer)
  const ask = <A>(call: () => Promise<A>) =>
    Effect.tryPromise({
      try: async () => call(),
      catch: (error) => new FilesFailed({ message: hostFailure("files", error) })
    })
  return Layer.merge(
    SharpResizer.layer,
    Layer.succeed(
      Files,
      Files.of({
        put: (key, bytes) => Effect.asVoid(ask(() => files.put(key, bytes))),
        get: (key) => Effect.map(ask(() => files.get(key)), Option.fromNullable),
        remove: (key) => Effect.asVoid(ask(() => files.remove(key)))
      })
    )
  )
}
