import * as Schema from "effect/Schema"
import * as Event from "../port/Event.ts"
import { CancellationPolicyView } from "../pricing/CancellationPolicy.ts"
import { PricingView } from "../pricing/Pricing.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as LocalTime from "../time/LocalTime.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Date, Decimal, exampleIds, Id, Integer, Metadata, optionalField, Timestamp } from "../wire/View.ts"
import { type HoursEntry, type Offering, offeringKinds } from "./Offering.ts"

export const OfferingKindView = Schema.Literal(...offeringKinds)

/** The API representation of a photo. Its paths are relative to the public URL. */
export const PhotoView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.photo),
  alt: withDescription("the photo's alt text", Schema.String, "Two rafts in a rapid"),
  width: withDescription("the width of url_1600 in pixels, at most 1600", Integer, 1600),
  height: withDescription("the height of url_1600 in pixels", Integer, 1067),
  url_800: withDescription(
    "the path of the WebP file, at most 800 pixels wide",
    Schema.String,
    `/photos/${exampleIds.org}/${exampleIds.photo}/800.webp`
  ),
  url_1600: withDescription(
    "the path of the WebP file, at most 1600 pixels wide",
    Schema.String,
    `/photos/${exampleIds.org}/${exampleIds.photo}/1600.webp`
  )
}).annotations({ identifier: "Photo" })
export type PhotoView = typeof PhotoView.Type

export const toPhotoViews = (
  { orgId, photos }: Pick<Offering, "orgId" | "photos">
): ReadonlyArray<PhotoView> =>
  photos.map((photo) => ({
    ...photo,
    url_800: `/photos/${orgId}/${photo.id}/800.webp`,
    url_1600: `/photos/${orgId}/${photo.id}/1600.webp`
  }))

export const TripInfoView = Schema.Struct({
  bring: withDescription("clothing and gear to bring", Schema.String, "A towel and shoes that can get wet."),
  requirements: withDescription("abilities that guests need", Schema.String, "All guests must be able to swim."),
  min_age: withDescription("the minimum age in years", Schema.NullOr(Integer), 8),
  waiver_url: withDescription("the waiver to sign", Schema.NullOr(Schema.String), "https://example.com/waiver")
}).annotations({ identifier: "OfferingInfo" })

/** The API representation of an offering. */
export const OfferingView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.offering),
  org_id: withDescription("the outfitter", Id, exampleIds.org),
  kind: withDescription(
    "class for scheduled sessions with seats, appointment for starts within opening hours, or rental for items that " +
      "are booked by the period",
    OfferingKindView
  ),
  name: withDescription("shown to guests", Schema.String, "Half-day raft trip"),
  description: withDescription("shown to guests", Schema.String, "Four hours on the upper river."),
  location: withDescription("the meeting point", Schema.String, "Boathouse, 10 River Road"),
  duration_minutes: withDescription(
    "the minutes per session, appointment, or rental period",
    Integer,
    240
  ),
  capacity: withDescription("the number of seats per session, concurrent appointments, or rental items", Integer, 12),
  max_per_booking: withDescription("the maximum quantity per booking", Integer, 8),
  price_cents: withDescription(
    "the price per seat, appointment, or item per period, or the first rate's price",
    Integer,
    8500
  ),
  slot_interval_minutes: withDescription(
    "the minutes between starts, or null for duration plus buffer",
    Schema.NullOr(Integer)
  ),
  buffer_minutes: withDescription("the minutes to keep free after a booking. Not used for classes", Integer, 0),
  min_notice_minutes: withDescription("the minimum number of minutes between booking and start", Integer, 120),
  max_advance_days: withDescription("the maximum number of days between booking and start", Integer, 365),
  max_periods: withDescription("the maximum number of periods per rental", Integer, 1),
  active: withDescription("false if paused", Schema.Boolean),
  metadata: withDescription("custom JSON data", Metadata),
  lat: withDescription("the meeting point's latitude", Schema.NullOr(Decimal), 38.53),
  lon: withDescription("the meeting point's longitude", Schema.NullOr(Decimal), -105.99),
  gauge_site: withDescription("the site ID of a public river gauge", Schema.NullOr(Schema.String), "07091200"),
  pricing: withDescription("the rates and extras, or null for one rate at price_cents", Schema.NullOr(PricingView)),
  photos: withDescription("the photos, in order", Schema.Array(PhotoView)),
  info: withDescription("pre-trip information for guests", TripInfoView),
  cancellation_policy: withDescription(
    "the cancellation policy, or null for the outfitter's policy",
    Schema.NullOr(CancellationPolicyView)
  ),
  created_at: withDescription("when the offering was created", Timestamp)
}).annotations({ identifier: "Offering" })
export type OfferingView = typeof OfferingView.Type

const plainView = makeViewMapper(OfferingView)
export const offeringView = (offering: Offering): OfferingView =>
  plainView({ ...offering, photos: toPhotoViews(offering) })

const optionalDate = (description: string) => optionalField(description, Date)

/** The API representation of an opening. Times have the format HH:MM:SS. */
export const HoursEntryView = Schema.Struct({
  weekday: withDescription("0 is Sunday, 6 is Saturday", Integer, 6),
  start_time: withDescription("the opening time", Schema.String, "09:00"),
  end_time: withDescription("the closing time, after start_time", Schema.String, "17:00"),
  valid_from: optionalDate("the first date on which the hours apply, if any"),
  valid_until: optionalDate("the last date on which the hours apply, if any"),
  date: optionalDate("the single date on which the hours replace the weekly hours, absent for weekly hours")
}).annotations({ identifier: "HoursEntry" })
export type HoursEntryView = typeof HoursEntryView.Type

export const hoursEntryView = (
  { date, endTime, startTime, validFrom, validUntil, weekday }: HoursEntry
): HoursEntryView => ({
  weekday,
  start_time: LocalTime.format(startTime),
  end_time: LocalTime.format(endTime),
  ...(validFrom === undefined ? {} : { valid_from: LocalDate.format(validFrom) }),
  ...(validUntil === undefined ? {} : { valid_until: LocalDate.format(validUntil) }),
  ...(date === undefined ? {} : { date: LocalDate.format(date) })
})

export const OfferingWithHoursView = Schema.Struct({
  ...OfferingView.fields,
  hours: withDescription("all opening hours", Schema.Array(HoursEntryView))
}).annotations({ identifier: "OfferingWithHours" })

export const offeringEvents = [
  Event.make("offering.created", { data: OfferingView, when: "An offering is added." }),
  Event.make("offering.updated", { data: OfferingView, when: "An offering is changed, paused, or resumed." }),
  Event.make("offering.deleted", {
    data: OfferingView,
    when: "An offering is deleted after its upcoming bookings are canceled."
  }),
  Event.make("offering.hours_updated", {
    data: OfferingWithHoursView,
    when: "An offering's opening hours are replaced."
  })
] as const
