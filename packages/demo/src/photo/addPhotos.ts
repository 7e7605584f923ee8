import { invalid } from "@trailbook/core"
import { PhotoResizer, Photos } from "@trailbook/core/file"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { scenes } from "./drawScene.ts"
import { scenePhotos } from "./scenePhotos.ts"

/** The height of a scene is two thirds of its width. */
export const sceneWidth = 1200

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"))

/**
 * Looks up the photos, which are stored in both sizes. Does not resize them, because the demo also runs without an
 * image library.
 */
export const demoResizer = Layer.succeed(
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

export const addPhotos = (orgId: string, offerings: { readonly [Name in keyof typeof scenes]: string }) =>
  Effect.flatMap(
    Photos,
    ({ add }) =>
      Effect.forEach(Object.entries(scenes), ([name, list]) =>
        Effect.forEach(list, ({ alt }, at) => {
          const key = name as keyof typeof scenes
          return add({ orgId, id: offerings[key] }, { alt, bytes: bytesOf(scenePhotos[key][at]?.large ?? "") })
        }), { discard: true })
  )
