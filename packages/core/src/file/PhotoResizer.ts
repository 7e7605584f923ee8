import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Refusal } from "../Refusal.ts"

/** The maximum widths of a photo's stored files, in pixels. */
export const photoWidths = [800, 1600] as const

export type PhotoWidth = (typeof photoWidths)[number]

/** A photo as WebP without metadata. `width` and `height` describe the larger file. */
export interface ResizedPhoto {
  readonly width: number
  readonly height: number
  readonly files: { readonly [Width in PhotoWidth]: Uint8Array }
}

/**
 * The maximum number of pixels in an uploaded photo. Even a small file can contain more pixels than this (a
 * decompression bomb).
 */
export const maxPhotoPixels = 50_000_000

/** Resizes photos outside the thread that handles requests. The service is optional. Without it, photos are refused. */
export class PhotoResizer extends Context.Tag("@trailbook/core/PhotoResizer")<
  PhotoResizer,
  {
    /** Resizes a JPEG, PNG, or WebP image. Applies the orientation, and never enlarges the image. */
    readonly resize: (
      bytes: Uint8Array
    ) => Effect.Effect<ResizedPhoto, Refusal<"invalid_request"> | Refusal<"unavailable">>
  }
>() {}
