import type { PublicMonthView } from "@trailbook/core/operation"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { type ContactFormValues, formatParty } from "./BookingSelection.ts"

/** Props shared by all views of an offering. */
export interface OfferingPageProps {
  readonly context: OrgRenderContext
  readonly monthView: PublicMonthView
  /** The selected start time. */
  readonly slot: string | undefined
  /** Whether the selected start time has become unavailable. */
  readonly isLost: boolean
  /** The contact details typed before the start time became unavailable. They are submitted with every later choice. */
  readonly contactDetails: ContactFormValues | undefined
}

/** Options for all booking pages, which can be embedded in the outfitter's own website. */
export const bookPageOptions = { frames: "*", style: "book", script: "book" } as const

/** Returns the path to an offering, or to a page below it. */
export const buildOfferingPath = (
  { monthView, context }: Pick<OfferingPageProps, "monthView" | "context">,
  below = ""
): `/${string}` => `/book/${context.org.slug}/${monthView.offering.id}${below}`

/** Whether guests can choose rates or extras in addition to a quantity. */
export const hasPricingChoices = ({ pricing }: PublicMonthView["offering"]): boolean =>
  pricing !== null && (pricing.rates.length > 1 || (pricing.extras ?? []).length > 0)

/** Returns the selected party or quantity, and the number of periods. Every link includes these values. */
export const getSelectedQuantity = ({ extras, offering, party, periods, quantity }: PublicMonthView) => ({
  quantity: hasPricingChoices(offering) || quantity === 1 ? undefined : quantity,
  party: hasPricingChoices(offering) && party.length > 0 ? formatParty({ party, extras }) : undefined,
  periods: offering.kind === "rental" && periods > 1 ? periods : undefined
})

/** Returns the formatted price of the selection. */
export const formatSelectionTotal = (
  { monthView, context }: Pick<OfferingPageProps, "monthView" | "context">
): string => monthView.total_cents === null ? "–" : context.format.money(monthView.total_cents)
