import type { ComponentChildren } from "preact"
import { href } from "../ui/href.ts"
import { buildOfferingPath, getSelectedQuantity, type OfferingPageProps } from "./OfferingPageProps.ts"

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
  const { monthView, context } = picked
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
            : (
              <a
                href={href(context, buildOfferingPath(picked), {
                  date: monthView.date ?? undefined,
                  ...getSelectedQuantity(monthView)
                })}
              >
                {steps.time}
              </a>
            )}
        </li>
        <li aria-current={at === "details" ? "step" : undefined}>{steps.details}</li>
      </ol>
    </nav>
  )
}
