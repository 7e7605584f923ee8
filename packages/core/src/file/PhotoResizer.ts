import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Refusal } from "../Refusal.ts"

/** The widths of the stored files of a photo, at most, in pixels. */
export const photoWidths = [800, 1600] as const

export type PhotoWidth = (typeof photoWidths)[number]

/** A photo as WebP without metadata. The sizes are those of the larger file. */
export interface ResizedPhoto {
  readonly width: number
  readonly height: number
  readonly files: { readonly [Width in PhotoWidth]: Uint8Array }
}

/** Maximum number of pixels of an uploaded photo. A small file can contain many more (a decompression bomb). */
export const maxPhotoPixels = 50_000_000

/** Resizes photos, outside of the thread that handles requests. Optional: without it, photos are refused. */
export class PhotoResizer extends Context.Tag("@trailbook/core/PhotoResizer")<
  PhotoResizer,
  {
    /** Reads a JPEG, PNG, or WebP. Applies its orientation, and never enlarges it. */
    readonly resize: (
      bytes: Uint8Array
    ) => Effect.Effect<ResizedPhoto, Refusal<"invalid_request"> | Refusal<"unavailable">>
  }
>() {}
