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
