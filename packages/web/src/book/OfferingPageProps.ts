import { totalPrice } from "@trailbook/core/money/totalPrice"
import type { PublicMonthView } from "@trailbook/core/operation/PublicPageView"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import type { ContactFormValues } from "./ContactFormValues.ts"

/** What the views of an offering's page show. */
export interface OfferingPageProps {
  readonly shown: OrgRenderContext
  readonly open: PublicMonthView
  /** The start that was chosen before. */
  readonly slot: string | undefined
  /** The place that was chosen is gone. */
  readonly isLost: boolean
  /** What somebody had typed when they lost it: it goes along with every choice. */
  readonly typed: ContactFormValues | undefined
}

/** Pages of booking are also shown within the outfitter's own website. */
export const bookText = { frames: "*", style: "book", script: "book" } as const

/** The address of an offering, or of something below it. */
export const selectionPath = ({ open, shown }: Pick<OfferingPageProps, "open" | "shown">, below = ""): `/${string}` =>
  `/book/${shown.org.slug}/${open.offering.id}${below}`

/** What goes along with every choice: how many, and for how long. */
export const selectedQuantity = ({ offering, periods, quantity }: PublicMonthView) => ({
  quantity: quantity === 1 ? undefined : quantity,
  periods: offering.kind === "rental" && periods > 1 ? periods : undefined
})

/** What it costs in all, in the smallest unit of the currency. */
export const selectionTotal = ({ offering, periods, quantity }: PublicMonthView): number =>
  totalPrice({ kind: offering.kind, priceCents: offering.price_cents, quantity, periods })
