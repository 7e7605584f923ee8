import * as Schema from "effect/Schema"
import * as Event from "../port/Event.ts"
import { CancellationPolicyView } from "../pricing/CancellationPolicy.ts"
import { FeeView } from "../pricing/Pricing.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { exampleIds, Id, Integer, Timestamp } from "../wire/View.ts"
import type { Org } from "./Org.ts"
import { unitSystems } from "./units.ts"

/** The API representation of an org. */
export const OrgView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.org),
  name: withDescription("the outfitter's name", Schema.String, "Salida River Co."),
  slug: withDescription(
    "the org's name in URLs, such as `/book/{slug}` for the booking page",
    Schema.String,
    "salida-river-co"
  ),
  timezone: withDescription("the time zone for local dates and times", Schema.String, "America/Denver"),
  currency: withDescription("the currency of all prices", Schema.String, "usd"),
  phone: withDescription("shown to guests", Schema.NullOr(Schema.String), "+1 719 555 0100"),
  reply_window: withDescription("when guests can expect a reply", Schema.NullOr(Schema.String), "within a day"),
  auto_ack: withDescription("whether guest messages get an automatic acknowledgment", Schema.Boolean),
  away_notice: withDescription("the away notice shown to guests", Schema.NullOr(Schema.String)),
  review_url: withDescription(
    "the URL where guests can leave a review",
    Schema.NullOr(Schema.String),
    "https://example.com/review"
  ),
  brief_hour: withDescription("the local hour for the morning brief", Integer, 6),
  ops_daily_cap: withDescription("the maximum number of automatic actions per 24 hours", Integer, 25),
  quiet_from: withDescription(
    "the local hour at which automatic messages to guests pause. Requires quiet_to",
    Schema.NullOr(Integer),
    21
  ),
  quiet_to: withDescription("the local hour at which automatic messages to guests resume", Schema.NullOr(Integer), 8),
  refund_ceiling_cents: withDescription(
    "the maximum refund without approval, or null if every refund needs approval",
    Schema.NullOr(Integer)
  ),
  guest_changes_hours: withDescription(
    "the deadline for guests to move or cancel, in hours before the start, or null if they cannot",
    Schema.NullOr(Integer),
    48
  ),
  accent: withDescription("the accent color of the outfitter's pages", Schema.NullOr(Schema.String), "#1f5f46"),
  logo_url: withDescription(
    "a square picture for the outfitter's pages",
    Schema.NullOr(Schema.String),
    "https://example.com/logo.png"
  ),
  cover_url: withDescription(
    "a wide picture for the booking page",
    Schema.NullOr(Schema.String),
    "https://example.com/cover.jpg"
  ),
  confirm_email: withDescription(
    "whether guests must confirm public bookings with an emailed link",
    Schema.Boolean
  ),
  units: withDescription(
    "the units for weather and river data in text, or null to choose them by time zone",
    Schema.NullOr(Schema.Literal(...unitSystems)),
    "us"
  ),
  fees: withDescription("fees and taxes for all bookings, in order", Schema.Array(FeeView)),
  cancellation_policy: withDescription(
    "the cancellation policy, or null for full refunds until the start",
    Schema.NullOr(CancellationPolicyView)
  ),
  staff_may_refund: withDescription(
    "whether all staff members, not only owners, may refund, void payments, and cancel without a refund",
    Schema.Boolean
  ),
  created_at: withDescription("when the org was created", Timestamp, "2027-03-01T17:00:00.000Z")
}).annotations({ identifier: "Org" })
export type OrgView = typeof OrgView.Type

export const orgView: (value: Org) => OrgView = makeViewMapper(OrgView)

export const orgEvents = [
  Event.make("org.updated", { data: OrgView, when: "The outfitter's settings change." })
] as const
