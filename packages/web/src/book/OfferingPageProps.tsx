/** Props and links that all views of an offering share. Every link keeps the guest's choices. */
import type { PublicMonthView } from "@trailbook/core/operation"
import type { ComponentChildren } from "preact"
import { href } from "../ui/href.ts"
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

/** Returns the URL of the picker with the selected date and quantity. */
export const buildPickerUrl = ({ monthView, context }: Pick<OfferingPageProps, "monthView" | "context">): string =>
  href(context, buildOfferingPath({ monthView, context }), {
    date: monthView.date ?? undefined,
    ...getSelectedQuantity(monthView)
  })

/** Returns the formatted price of the selection. */
export const formatSelectionTotal = (
  { monthView, context }: Pick<OfferingPageProps, "monthView" | "context">
): string => monthView.total_cents === null ? "–" : context.format.money(monthView.total_cents)

/**
 * Changes the picker's state. Renders a link, or a button in the surrounding form if typed contact details must be
 * submitted as well.
 */
export const SelectionLink = (
  { children, name, picked: { monthView, context, contactDetails }, swap, value, ...attributes }: {
    readonly picked: OfferingPageProps
    readonly name: "date" | "month" | "party"
    readonly value: string
    /** The ID of the element to focus after the script has updated the picker. */
    readonly swap: string
    readonly children: ComponentChildren
    readonly class?: string
    readonly id?: string
    readonly "aria-label"?: string
    readonly "aria-current"?: "date" | undefined
  }
) =>
  contactDetails === undefined
    ? (
      <a
        {...attributes}
        data-swap={swap}
        href={href(context, buildOfferingPath({ monthView, context }), {
          ...getSelectedQuantity(monthView),
          ...(name === "party" ? { date: monthView.date ?? undefined } : {}),
          [name]: value
        })}
      >
        {children}
      </a>
    )
    : (
      <button
        {...attributes}
        formaction={href(context, buildOfferingPath({ monthView, context }, "/times"))}
        formnovalidate
        name={name}
        value={value}
      >
        {children}
      </button>
    )

/** The guest's progress through the booking, with links to completed steps. */
export const BookingSteps = (
  { at, picked }: { readonly at: "time" | "details"; readonly picked: OfferingPageProps }
) => {
  const { context } = picked
  const { steps } = context.text.book
  return (
    <nav class="steps" aria-label={steps.label}>
      <ol>
        <li>
          <a href={href(context, `/book/${context.org.slug}`)}>{steps.offering}</a>
        </li>
        <li aria-current={at === "time" ? "step" : undefined}>
          {at === "time"
            ? steps.time
            : <a href={buildPickerUrl(picked)}>{steps.time}</a>}
        </li>
        <li aria-current={at === "details" ? "step" : undefined}>{steps.details}</li>
      </ol>
    </nav>
  )
}
