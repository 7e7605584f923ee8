/**
 * Resizes photos with `sharp`, which runs in its own threads. `sharp` includes 20 MB of binaries, so it is an optional
 * package and is loaded when the first photo arrives. Photos are resized one at a time, because a 50-megapixel photo
 * takes 150 MB of memory.
 */
import { invalid, unavailable } from "@trailbook/core"
import { maxPhotoPixels, PhotoResizer, type PhotoWidth } from "@trailbook/core/file"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layer: Layer.Layer<PhotoResizer> = Layer.sync(PhotoResizer, () => {
  const oneAtATime = Effect.unsafeMakeSemaphore(1).withPermits(1)
  return PhotoResizer.of({
    resize: (bytes) =>
      Effect.gen(function*() {
        const { default: sharp } = yield* Effect.tryPromise({ try: () => import("sharp"), catch: () => notInstalled })
        const { height, width } = yield* Effect.tryPromise({
          // `metadata` reads only the header, so an oversized image is rejected before it is decoded.
          try: () => sharp(bytes, { limitInputPixels: false }).metadata(),
          catch: () => damaged
        })
        if (width * height > maxPhotoPixels) return yield* tooManyPixels
        const webp = (most: PhotoWidth) =>
          Effect.tryPromise({
            try: () =>
              sharp(bytes, { limitInputPixels: maxPhotoPixels, failOn: "error" }).autoOrient()
                .resize({ width: most, height: 2 * most, fit: "inside", withoutEnlargement: true })
                .webp({ quality: 78 })
                .toBuffer({ resolveWithObject: true }),
            catch: () => damaged
          })
        const large = yield* webp(1600)
        const small = yield* webp(800)
        return {
          width: large.info.width,
          height: large.info.height,
          files: { 800: small.data, 1600: large.data }
        }
      }).pipe(oneAtATime)
  })
})

const notInstalled = unavailable(
  "Photos are unavailable because the sharp package is not installed. Run: npm install sharp"
)
const damaged = invalid("file: is damaged and cannot be read as a photo")
const tooManyPixels = invalid(`file: must have at most ${maxPhotoPixels / 1_000_000} megapixels`)
