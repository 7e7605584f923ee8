import type { PublicOfferingView } from "@trailbook/core/operation"
import type { ComponentChildren } from "preact"
import type { OrgRenderContext } from "./RenderContext.ts"

/** Information for guests before the trip, with the outfitter's phone number. */
export const TripInfo = ({ info, shown, where = "" }: {
  readonly shown: OrgRenderContext
  readonly info: PublicOfferingView["info"]
  /** The meeting point, if the page does not show it elsewhere. */
  readonly where?: string
}) => {
  const { org, text: { frame: { trip } } } = shown
  const rows: ReadonlyArray<readonly [label: string, value: ComponentChildren]> = [
    [trip.where, where],
    [trip.bring, info.bring],
    [trip.requirements, info.requirements],
    [trip.age, info.min_age === null ? "" : trip.ageFrom(info.min_age)],
    [trip.waiver, info.waiver_url === null ? "" : <a href={info.waiver_url} rel="noopener">{trip.sign}</a>],
    [trip.questions, org.phone === null ? "" : <PhoneLink phone={org.phone} />]
  ]
  const filledRows = rows.filter(([, value]) => value !== "")
  if (filledRows.length === 0) return null
  return (
    <dl class="info">
      {filledRows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class="words" dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * A phone link. RFC 3966 does not allow spaces, and brackets are only for readability, so everything except digits and
 * a leading `+` is removed.
 */
export const PhoneLink = ({ class: name, phone }: { readonly phone: string; readonly class?: string }) => (
  <a class={name} href={`tel:${phone.replace(/(?!^\+)\D/g, "")}`} dir="ltr">{phone}</a>
)

/** A label and value in a list of facts. */
export const FactRow = ({ children, label, total, ...value }: {
  readonly label: string
  readonly children: ComponentChildren
  /** Whether the row is the total of the rows above it. */
  readonly total?: boolean
  readonly class?: string
  readonly dir?: "auto"
}) => (
  <div class={total === true ? "total" : undefined}>
    <dt>{label}</dt>
    <dd {...value}>{children}</dd>
  </div>
)
