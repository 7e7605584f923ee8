import type { Kind } from "@trailbook/core/offering/Offering"
import { Field, TextField } from "../../ui/Field.tsx"
import { Card, LengthField } from "../kit/elements.tsx"
import type { FormView } from "../parts/FormErrors.tsx"
import type { fieldLabels } from "./settingsForm.ts"

/** Settings fields of an offering of the given kind. */
export const SettingsFields = ({ currency, kind, of: { field: of, mistakes, typed } }: {
  readonly kind: Kind
  readonly currency: string
  readonly of: FormView<keyof ReturnType<typeof fieldLabels>>
}) => {
  const length = (name: "duration" | "interval" | "buffer" | "notice") => ({ ...of(name), typed })
  const code = currency.toUpperCase()
  return (
    <>
      <Card id="guests-read" title="Description" pad="stack">
        <Field {...of("name")} input={{ maxLength: 120, dir: "auto" }} />
        <TextField {...of("description")} optional="optional" rows={5} maxLength={2000} />
        <Field {...of("location")} optional="optional" input={{ maxLength: 200, dir: "auto" }} />
      </Card>
      <Card id="what-it-is" title="Price and size" pad="fields">
        <Field {...of("price")} hint={`In ${code}. 0 is free.`} input={{ inputMode: "decimal", maxLength: 30 }} />
        <LengthField
          {...length("duration")}
          hint={kind === "rental" ? "The length of one period, such as an hour, half a day, or a day." : undefined}
        />
        <Field {...of("capacity")} hint={capacityHints[kind]} input={numeric} />
        <Field {...of("max_per_booking")} input={numeric} />
        {kind === "rental" && (
          <Field {...of("max_periods")} hint="For example, 5 lets guests book up to 5 periods." input={numeric} />
        )}
      </Card>
      <Card id="when-booked" title="Booking rules" pad="fields">
        <LengthField {...length("notice")} hint="0 allows bookings until the start." />
        <Field {...of("max_advance_days")} hint="365 is a year." input={numeric} />
        {kind !== "class" && (
          <>
            <LengthField
              {...length("interval")}
              optional="optional"
              hint="If empty, a booking can start as soon as the previous one ends."
            />
            <LengthField {...length("buffer")} hint="Time to clean up and prepare. 0 means no extra time." />
          </>
        )}
      </Card>
      <details class="card" open={["lat", "lon", "gauge_site", "metadata"].some((name) => mistakes.of(name))}>
        <summary class="pad">Map, river gauge, and custom data</summary>
        <div class="pad stack">
          <div class="fields">
            <Field
              {...of("lat")}
              optional="optional"
              hint="Adds a map link to bookings and selects the weather forecast."
              input={{ inputMode: "text", maxLength: 20 }}
            />
            <Field
              {...of("lon")}
              optional="optional"
              hint="Together with the latitude."
              input={{ inputMode: "text", maxLength: 20 }}
            />
            <Field
              {...of("gauge_site")}
              optional="optional"
              hint="The site number of a public station, such as 07091200."
              input={{ maxLength: 40 }}
            />
          </div>
          <TextField {...of("metadata")} optional="optional" hint="A JSON object." rows={3} maxLength={16_384} />
        </div>
      </details>
    </>
  )
}

const numeric = { inputMode: "numeric", maxLength: 9 } as const

const capacityHints: { readonly [Of in Kind]: string } = {
  class: "You can change this for a single departure.",
  appointment: "The number of your guides or boats.",
  rental: "Items become available again when they are returned."
}
