import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Id, ids, Integer, Timestamp } from "../wire/View.ts"
import type { Org } from "./Org.ts"
import { unitSystems } from "./units.ts"

/** The API representation of an org. */
export const OrgView = Schema.Struct({
  id: withDescription("its id", Id, ids.org),
  name: withDescription("the outfitter's name", Schema.String, "Salida River Co."),
  slug: withDescription("the booking page is `/book/{slug}`", Schema.String, "salida-river-co"),
  timezone: withDescription("the zone of the outfitter's dates and wall times", Schema.String, "America/Denver"),
  currency: withDescription("of all prices", Schema.String, "usd"),
  reply_window: withDescription("when guests can expect a reply", Schema.NullOr(Schema.String), "within a day"),
  auto_ack: withDescription("whether a guest who writes is sent an acknowledgement", Schema.Boolean),
  away_notice: withDescription("shown while it is set", Schema.NullOr(Schema.String)),
  review_url: withDescription(
    "where guests leave a review",
    Schema.NullOr(Schema.String),
    "https://example.com/review"
  ),
  brief_hour: withDescription("local hour of the morning brief", Integer, 6),
  ops_daily_cap: withDescription("most that automations do on their own in 24 hours", Integer, 25),
  quiet_from: withDescription(
    "local hour from which guests are sent nothing automatic; together with quiet_to",
    Schema.NullOr(Integer),
    21
  ),
  quiet_to: withDescription("local hour at which that ends", Schema.NullOr(Integer), 8),
  refund_ceiling_cents: withDescription(
    "most that automations refund on their own; null is nothing",
    Schema.NullOr(Integer)
  ),
  guest_changes_hours: withDescription(
    "until so many hours before the start guests move and cancel by their own page; null: they write instead",
    Schema.NullOr(Integer),
    48
  ),
  accent: withDescription("the color of its pages", Schema.NullOr(Schema.String), "#1f5f46"),
  logo_url: withDescription(
    "a square picture for its pages",
    Schema.NullOr(Schema.String),
    "https://example.com/logo.png"
  ),
  cover_url: withDescription(
    "a wide picture for its booking page",
    Schema.NullOr(Schema.String),
    "https://example.com/cover.jpg"
  ),
  confirm_email: withDescription(
    "whether guests confirm a booking from the public page by a mailed link",
    Schema.Boolean
  ),
  units: withDescription(
    "units of weather and rivers in texts; null: by time zone. API fields stay metric",
    Schema.NullOr(Schema.Literal(...unitSystems)),
    "us"
  ),
  created_at: withDescription("when it was made", Timestamp, "2027-03-01T17:00:00.000Z")
}).annotations({ identifier: "Org" })
export type OrgView = typeof OrgView.Type

export const orgView: (value: Org) => OrgView = toView(OrgView)
