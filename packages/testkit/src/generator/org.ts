import { unitSystems } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import * as FastCheck from "effect/FastCheck"
import { moment } from "./moment.ts"
import { cancellationPolicy, orgFees } from "./pricing.ts"
import { text } from "./text.ts"

/**
 * Time zones with edge cases: offsets of half and quarter hours, missing midnights, negative DST, half-hour DST, a
 * skipped date, DST pauses for Ramadan, and the extreme offsets.
 */
export const zone: FastCheck.Arbitrary<string> = FastCheck.constantFrom(
  "UTC",
  "America/Denver",
  "America/New_York",
  "America/Phoenix",
  "America/St_Johns",
  "America/Havana",
  "America/Santiago",
  "America/Asuncion",
  "America/Nuuk",
  "Europe/Berlin",
  "Europe/London",
  "Europe/Dublin",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Beirut",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Antarctica/Troll",
  "Australia/Lord_Howe",
  "Australia/Eucla",
  "Atlantic/Azores",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Marquesas"
)

const hour = FastCheck.integer({ min: 0, max: 23 })

/** An outfitter with any settings. Its slug is as unique as its ID. */
export const org: FastCheck.Arbitrary<Org.Org> = FastCheck.record({
  id: FastCheck.uuid(),
  name: text(80),
  timezone: zone,
  currency: FastCheck.constantFrom("usd", "eur", "jpy", "kwd"),
  plan: FastCheck.constantFrom(...Org.plans),
  phone: FastCheck.option(text(40)),
  replyWindow: FastCheck.option(text(200)),
  autoAck: FastCheck.boolean(),
  awayNotice: FastCheck.option(text(2000)),
  reviewUrl: FastCheck.option(FastCheck.webUrl({ validSchemes: ["https"] })),
  briefHour: hour,
  opsDailyCap: FastCheck.integer({ min: 1, max: 500 }),
  quietFrom: FastCheck.option(hour),
  quietTo: FastCheck.option(hour),
  refundCeilingCents: FastCheck.option(FastCheck.maxSafeNat()),
  guestChangesHours: FastCheck.option(FastCheck.integer({ min: 0, max: 720 })),
  accent: FastCheck.option(FastCheck.constantFrom("#1f5f46", "#000000", "#ffffff")),
  logoUrl: FastCheck.option(FastCheck.webUrl({ validSchemes: ["https"] })),
  coverUrl: FastCheck.option(FastCheck.webUrl({ validSchemes: ["https"] })),
  confirmEmail: FastCheck.boolean(),
  units: FastCheck.option(FastCheck.constantFrom(...unitSystems)),
  fees: orgFees([]),
  cancellationPolicy: FastCheck.option(cancellationPolicy),
  staffMayRefund: FastCheck.boolean(),
  secret: text(64),
  createdAt: moment
}).map((org) => ({ ...org, slug: `slug-${org.id}` }))
