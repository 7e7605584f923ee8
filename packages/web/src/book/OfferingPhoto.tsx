import type { PhotoView } from "@trailbook/core/offering"
import type { OrgRenderContext } from "../ui/RenderContext.ts"

/**
 * A photo, loaded at the width that the screen needs. Its dimensions are set, so the layout does not shift when the
 * photo loads. Only the first photo on a page is loaded before the guest scrolls to it.
 */
export const OfferingPhoto = ({ isFirst, photo, shown: { site }, sizes, alt = photo.alt }: {
  readonly shown: OrgRenderContext
  readonly photo: PhotoView
  readonly isFirst: boolean
  /** The width on the screen, in the syntax of the HTML attribute `sizes`. */
  readonly sizes: string
  readonly alt?: string
}) => {
  const { height, url_1600, url_800, width } = photo
  const small = site.link(`/${url_800.slice(1)}`)
  // For a tall photo, the height limits the width.
  const smallWidth = Math.min(800, width, Math.round(1600 * width / height))
  return (
    <img
      src={small}
      {...smallWidth < width
        ? { srcset: `${small} ${smallWidth}w, ${site.link(`/${url_1600.slice(1)}`)} ${width}w`, sizes }
        : {}}
      alt={alt}
      width={width}
      height={height}
      {...isFirst ? { fetchpriority: "high" } : { loading: "lazy" }}
    />
  )
}
