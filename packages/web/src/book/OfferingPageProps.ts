import type { PublicMonthView } from "@trailbook/core/operation/PublicPageView"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { formatParty } from "./BookingSelection.ts"
import type { ContactFormValues } from "./ContactFormValues.ts"

/** Props shared by the views of an offering. */
export interface OfferingPageProps {
  readonly shown: OrgRenderContext
  readonly open: PublicMonthView
  /** The selected start. */
  readonly slot: string | undefined
  /** Whether the selected start became unavailable. */
  readonly isLost: boolean
  /** The contact details typed before the start became unavailable. They are submitted with every further choice. */
  readonly typed: ContactFormValues | undefined
}

/** Options of all booking pages. These pages can be embedded in the outfitter's own website. */
export const bookText = { frames: "*", style: "book", script: "book" } as const

/** The path of an offering, or of a page below it. */
export const selectionPath = ({ open, shown }: Pick<OfferingPageProps, "open" | "shown">, below = ""): `/${string}` =>
  `/book/${shown.org.slug}/${open.offering.id}${below}`

/** Returns whether guests choose from rates or extras, and not only a quantity. */
export const hasChoice = ({ pricing }: PublicMonthView["offering"]): boolean =>
  pricing !== null && (pricing.rates.length > 1 || (pricing.extras ?? []).length > 0)

/** Returns the party or quantity, and the number of periods, which are part of every link. */
export const selectedQuantity = ({ extras, offering, party, periods, quantity }: PublicMonthView) => ({
  quantity: hasChoice(offering) || quantity === 1 ? undefined : quantity,
  party: hasChoice(offering) && party.length > 0 ? formatParty({ party, extras }) : undefined,
  periods: offering.kind === "rental" && periods > 1 ? periods : undefined
})

/** Returns the formatted price of the selection. */
export const selectionTotal = ({ open, shown }: Pick<OfferingPageProps, "open" | "shown">): string =>
  open.total_cents === null ? "–" : shown.format.money(open.total_cents)
