import * as Schema from "effect/Schema"
import { SlotView, slotView } from "../availability/AvailabilityView.ts"
import type { Slot } from "../availability/slotsLeft.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingView, offeringView } from "../offering/OfferingView.ts"
import type { Org } from "../org/Org.ts"
import { OrgView, orgView } from "../org/OrgView.ts"
import { means } from "../wire/Field.ts"

/**
 * Of an org, what everybody may know.
 *
 * @category schemas
 */
export const VisitOrgView = OrgView.pick("name", "slug", "timezone", "currency", "reply_window", "away_notice")
export type VisitOrgView = typeof VisitOrgView.Type

/**
 * @category converting
 */
export const visitOrgView = (org: Org): VisitOrgView => {
  const { away_notice, currency, name, reply_window, slug, timezone } = orgView(org)
  return { name, slug, timezone, currency, reply_window, away_notice }
}

/**
 * Of an offering, what everybody may know: metadata, notice and horizon are the outfitter's own.
 *
 * @category schemas
 */
export const VisitOfferingView = OfferingView.pick(
  "id",
  "kind",
  "name",
  "description",
  "location",
  "duration_minutes",
  "max_per_booking",
  "max_periods",
  "price_cents",
  "lat",
  "lon"
)
export type VisitOfferingView = typeof VisitOfferingView.Type

/**
 * @category converting
 */
export const visitOfferingView = (offering: Offering): VisitOfferingView => {
  const {
    description,
    duration_minutes,
    id,
    kind,
    lat,
    location,
    lon,
    max_per_booking,
    max_periods,
    name,
    price_cents
  } = offeringView(offering)
  return {
    id,
    kind,
    name,
    description,
    location,
    duration_minutes,
    max_per_booking,
    max_periods,
    price_cents,
    lat,
    lon
  }
}

/**
 * An offering in the list of a booking page.
 *
 * @category schemas
 */
export const VisitListedView = Schema.Struct({
  ...VisitOfferingView.fields,
  next: means("the first start with room; null where none is near", Schema.NullOr(SlotView))
})
export type VisitListedView = typeof VisitListedView.Type

/**
 * @category converting
 */
export const visitListedView = (offering: Offering, next: Slot | undefined): VisitListedView => ({
  ...visitOfferingView(offering),
  next: next === undefined ? null : slotView(next)
})
