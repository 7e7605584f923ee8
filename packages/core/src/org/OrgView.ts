import * as Schema from "effect/Schema"
import { means } from "../wire/Field.ts"
import { viewOf } from "../wire/naming.ts"
import { Id, ids, Integer, Timestamp } from "../wire/View.ts"
import type { Org } from "./Org.ts"
import { unitSystems } from "./units.ts"

/**
 * The org on the wire.
 *
 * @category schemas
 */
export const OrgView = Schema.Struct({
  id: means("its id", Id, ids.org),
  name: means("the outfitter's name", Schema.String, "Salida River Co."),
  slug: means("the booking page is `/book/{slug}`", Schema.String, "salida-river-co"),
  timezone: means("the zone of the outfitter's dates and wall times", Schema.String, "America/Denver"),
  currency: means("of all prices", Schema.String, "usd"),
  reply_window: means("when guests can expect a reply", Schema.NullOr(Schema.String), "within a day"),
  auto_ack: means("whether a guest who writes is sent an acknowledgement", Schema.Boolean),
  away_notice: means("shown while it is set", Schema.NullOr(Schema.String)),
  review_url: means("where guests leave a review", Schema.NullOr(Schema.String), "https://example.com/review"),
  brief_hour: means("local hour of the morning brief", Integer, 6),
  ops_daily_cap: means("most that automations do on their own in 24 hours", Integer, 25),
  quiet_from: means(
    "local hour from which guests are sent nothing automatic; together with quiet_to",
    Schema.NullOr(Integer),
    21
  ),
  quiet_to: means("local hour at which that ends", Schema.NullOr(Integer), 8),
  refund_ceiling_cents: means("most that automations refund on their own; null is nothing", Schema.NullOr(Integer)),
  guest_changes_hours: means(
    "until so many hours before the start guests move and cancel by their own page; null: they write instead",
    Schema.NullOr(Integer),
    48
  ),
  accent: means("the color of its pages", Schema.NullOr(Schema.String), "#1f5f46"),
  logo_url: means("a square picture for its pages", Schema.NullOr(Schema.String), "https://example.com/logo.png"),
  cover_url: means(
    "a wide picture for its booking page",
    Schema.NullOr(Schema.String),
    "https://example.com/cover.jpg"
  ),
  confirm_email: means(
    "whether guests confirm a booking from the public page by a mailed link",
    Schema.Boolean
  ),
  units: means(
    "units of weather and rivers in texts; null: by time zone. API fields stay metric",
    Schema.NullOr(Schema.Literal(...unitSystems)),
    "us"
  ),
  created_at: means("when it was made", Timestamp, "2027-03-01T17:00:00.000Z")
}).annotations({ identifier: "Org" })
export type OrgView = typeof OrgView.Type

/**
 * @category converting
 */
export const orgView: (value: Org) => OrgView = viewOf(OrgView)
