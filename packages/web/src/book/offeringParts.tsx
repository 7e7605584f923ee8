/** The price and the photos of an offering, on the list of offerings and on its own page. */
import type { PhotoView } from "@trailbook/core/offering"
import type { PublicOfferingView } from "@trailbook/core/operation"
import type { OrgRenderContext } from "../ui/RenderContext.ts"

type PricedOffering = Pick<PublicOfferingView, "duration_minutes" | "from_cents" | "kind" | "price_cents">

/** The total of the smallest possible booking if known, otherwise the price with its unit. */
export const Price = ({ offering, shown }: { readonly shown: OrgRenderContext; readonly offering: PricedOffering }) => {
  const { format, text: { book } } = shown
  if (offering.from_cents !== null && offering.from_cents > 0) {
    return <b class="num">{book.from(format.money(offering.from_cents))}</b>
  }
  if (offering.price_cents === 0) return <b>{book.free}</b>
  const unit = offering.kind === "rental"
    ? book.eachPeriod(format.length(offering.duration_minutes))
    : book.each[offering.kind]
  return (
    <span>
      <b class="num">{format.money(offering.price_cents)}</b> {unit}
    </span>
  )
}

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
