import type { PhotoView } from "@trailbook/core/offering/OfferingView"
import type { OrgRenderContext } from "../ui/RenderContext.ts"

/**
 * A photo in the width that the screen needs. Its size is set, so that the page does not move when the photo arrives.
 * Only the first photo of a page is loaded before the guest scrolls to it.
 */
export const Picture = ({ isFirst, photo, shown: { site }, sizes, alt = photo.alt }: {
  readonly shown: OrgRenderContext
  readonly photo: PhotoView
  readonly isFirst: boolean
  /** The width on the screen, as in the HTML attribute. */
  readonly sizes: string
  readonly alt?: string
}) => {
  const { height, url_1600, url_800, width } = photo
  const small = site.link(`/${url_800.slice(1)}`)
  // The height limits the width of a tall photo.
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
