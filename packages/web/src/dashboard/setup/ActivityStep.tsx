import { Field, HiddenFields } from "../../ui/Field.tsx"
import { DurationField, Link } from "../kit/elements.tsx"
import { formatUnitPrice, offeringKindTexts } from "../offerings/offeringKindTexts.ts"
import { usePage } from "../Page.ts"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import type { SetupProgress } from "./setupState.ts"

const labels = { name: "Name", price: "Price", duration: "Duration", kind: "Booking type" }

/** Step 1: the four fields that every offering requires. */
export const ActivityStep = ({ begun }: { readonly begun: SetupProgress | undefined }) => {
  const { format, isOwner, org, rejection, site } = usePage()
  if (begun !== undefined) {
    const { offering } = begun
    return (
      <p>
        <b dir="auto">{offering.name}</b>
        {` · ${formatUnitPrice(format, offering)} · ${format.length(offering.duration_minutes)} · `}
        <Link to={`/offerings/${offering.id}`}>Edit activity</Link>
      </p>
    )
  }
  const rejectedForm = rejection?.form["step"] === "what" ? rejection : undefined
  const initialValues = { kind: "class", duration: "2", duration_unit: "hours" }
  const { field, key, mistakes, typed } = makeForm(rejectedForm, labels, initialValues, {
    price_cents: "price",
    duration_minutes: "duration"
  })
  const code = org.currency.toUpperCase()
  return (
    <form class="stack" method="post" action={site.link("/dashboard/setup")} data-once="">
      <FormErrorNote of={mistakes} />
      <fieldset class="stack tight">
        <legend class="label">{labels.kind}</legend>
        {Object.entries(offeringKindTexts).map(([kind, { example, name, words }]) => (
          <div key={kind} class="check">
            <input
              type="radio"
              id={`kind-${kind}`}
              name="kind"
              value={kind}
              checked={kind === typed["kind"]}
              aria-describedby={`kind-${kind}-hint`}
            />
            <div>
              <label for={`kind-${kind}`}>{name}</label>
              <p class="hint" id={`kind-${kind}-hint`}>{`${words} ${example}.`}</p>
            </div>
          </div>
        ))}
      </fieldset>
      <Field
        {...field("name")}
        hint="Shown to guests, for example: Half-day raft trip."
        input={{ maxLength: 120, dir: "auto" }}
      />
      <div class="fields">
        <Field
          {...field("price")}
          hint={`In ${code}, per seat, per booking, or per item per period. Enter 0 for free.`}
          input={{ inputMode: "decimal", maxLength: 30 }}
        />
        <DurationField
          {...field("duration")}
          typed={typed}
          hint="For a rental, enter the rental period, such as 1 day."
        />
      </div>
      {isOwner && (
        <p class="soft small">
          {`Prices are in ${code}, and times are in ${org.timezone}. `}
          <Link to="/settings">Change settings</Link>
        </p>
      )}
      <HiddenFields values={{ step: "what", key }} />
      <p>
        <button class="btn main">Continue</button>
      </p>
    </form>
  )
}
