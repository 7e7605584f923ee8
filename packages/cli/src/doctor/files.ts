import { Files } from "@trailbook/core/file"
import { bucketLayer, type FilesSettings } from "@trailbook/server/filesLayer"
import type { FilesPlace } from "@trailbook/server/setting/filesPlace"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { fault, type Finding, makePassed } from "./Finding.ts"
import { writableFolder } from "./outbox.ts"

/** Checks the file storage by writing, reading, and deleting a file. */
export const files = async (
  place: FilesPlace,
  settings: Pick<FilesSettings, "filesKey" | "filesRegion">
): Promise<Finding> => {
  if (place._tag === "Folder") return writableFolder("files", place.directory, "--files")
  const key = `doctor/${randomUUID()}`
  const probe = Effect.gen(function*() {
    const { get, put, remove } = yield* Effect.provide(Files, yield* bucketLayer(place.url, settings))
    yield* put(key, new Uint8Array(1))
    const stream = yield* get(key)
    yield* remove(key)
    if (stream._tag === "None") return yield* Effect.fail({ message: "A file was written but could not be read back." })
    yield* Effect.promise(() => stream.value.cancel())
  })
  const result = await Effect.runPromise(Effect.either(probe))
  return result._tag === "Right"
    ? makePassed("files", place.url)
    : fault(
      "files",
      result.left.message,
      `Check that ${place.url} exists in the region set by --files-region, and that the key can read, ` +
        "write, and delete."
    )
}
