import { href } from "../ui/href.ts"
import { buildOfferingPath, getSelectedQuantity, type OfferingPageProps } from "./OfferingPageProps.ts"

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
