import type { Kind } from "@trailbook/core/offering/Offering"
import { Field, TextField } from "../../ui/Field.tsx"
import { Card } from "../parts/Card.tsx"
import type { FormView } from "../parts/FormErrors.tsx"
import { LengthField } from "../parts/LengthField.tsx"
import type { fieldLabels } from "./settingsForm.ts"

/**
 * All settings of an offering that its kind has.
 *
 * @category views
 */
export const SettingsFields = ({ currency, kind, of: { field: of, mistakes, typed } }: {
  readonly kind: Kind
  readonly currency: string
  readonly of: FormView<keyof ReturnType<typeof fieldLabels>>
}) => {
  const length = (name: "duration" | "interval" | "buffer" | "notice") => ({ ...of(name), typed })
  const code = currency.toUpperCase()
  return (
    <>
      <Card id="guests-read" title="What guests read" pad="stack">
        <Field {...of("name")} input={{ maxLength: 120, dir: "auto" }} />
        <TextField {...of("description")} optional="may be empty" rows={5} maxLength={2000} />
        <Field {...of("location")} optional="may be empty" input={{ maxLength: 200, dir: "auto" }} />
      </Card>
      <Card id="what-it-is" title="Price and size" pad="fields">
        <Field {...of("price")} hint={`In ${code}. 0 is free.`} input={{ inputMode: "decimal", maxLength: 30 }} />
        <LengthField
          {...length("duration")}
          hint={kind === "rental" ? "One period: an hour, half a day, a day." : undefined}
        />
        <Field {...of("capacity")} hint={capacityHints[kind]} input={numeric} />
        <Field {...of("max_per_booking")} input={numeric} />
        {kind === "rental" && <Field {...of("max_periods")} hint="Such as 5 days in one booking." input={numeric} />}
      </Card>
      <Card id="when-booked" title="When it can be booked" pad="fields">
        <LengthField {...length("notice")} hint="0: until it starts." />
        <Field {...of("max_advance_days")} hint="365 is a year." input={numeric} />
        {kind !== "class" && (
          <>
            <LengthField
              {...length("interval")}
              optional="may be empty"
              hint="Empty: as soon as the one before has ended."
            />
            <LengthField {...length("buffer")} hint="To clean up and get ready; 0 is none." />
          </>
        )}
      </Card>
      <details class="card" open={["lat", "lon", "gauge_site", "metadata"].some((name) => mistakes.of(name))}>
        <summary class="pad">Map, river gauge and data for programs</summary>
        <div class="pad stack">
          <div class="fields">
            <Field
              {...of("lat")}
              optional="may be empty"
              hint="Puts a map link on the booking, and tells the weather."
              input={{ inputMode: "text", maxLength: 20 }}
            />
            <Field
              {...of("lon")}
              optional="may be empty"
              hint="Together with the latitude."
              input={{ inputMode: "text", maxLength: 20 }}
            />
            <Field
              {...of("gauge_site")}
              optional="may be empty"
              hint="The site number of a public station, such as 07091200."
              input={{ maxLength: 40 }}
            />
          </div>
          <TextField {...of("metadata")} optional="may be empty" hint="A JSON object." rows={3} maxLength={16_384} />
        </div>
      </details>
    </>
  )
}

const numeric = { inputMode: "numeric", maxLength: 9 } as const

const capacityHints: { readonly [Of in Kind]: string } = {
  class: "A single departure may have another number.",
  appointment: "As many as you have guides or boats.",
  rental: "The same number is free again when one comes back."
}
