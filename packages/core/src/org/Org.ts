import type { Instant } from "../time/Instant.ts"
import type { Units } from "./units.ts"

/**
 * The plans an outfitter can be on.
 *
 * @category models
 */
export const plans = ["free", "pro"] as const

/**
 * @category models
 */
export type Plan = (typeof plans)[number]

/**
 * An outfitter: the account that every other resource belongs to.
 *
 * @category models
 */
export interface Org {
  readonly id: string
  readonly name: string
  /** The booking page is `/book/{slug}`. Unique in the whole service. */
  readonly slug: string
  /** IANA name; weekly hours and local dates are read in it. */
  readonly timezone: string
  readonly currency: string
  readonly plan: Plan
  readonly replyWindow: string | null
  readonly autoAck: boolean
  readonly awayNotice: string | null
  readonly reviewUrl: string | null
  readonly briefHour: number
  readonly opsDailyCap: number
  readonly quietFrom: number | null
  readonly quietTo: number | null
  readonly refundCeilingCents: number | null
  /** Until so many hours before the start guests move and cancel by their own page; null: they write instead. */
  readonly guestChangesHours: number | null
  /** What its pages look like: a color as `#rrggbb`, and pictures from the outfitter's own site. */
  readonly accent: string | null
  readonly logoUrl: string | null
  readonly coverUrl: string | null
  /** Whether a booking from the public page is confirmed only once the guest has opened a mailed link. */
  readonly confirmEmail: boolean
  /** Units of weather and rivers in text for people; null: the default of the time zone (`getUnits`). */
  readonly units: Units | null
  /** Signs what only this service may write: form state, mailed links, digests of networks. Never leaves storage. */
  readonly secret: string
  readonly createdAt: Instant
}

/**
 * What an org starts with.
 *
 * @category constructors
 */
export const make = (
  given:
    & Pick<Org, "id" | "name" | "slug" | "timezone" | "createdAt">
    & Partial<Pick<Org, "currency" | "plan" | "secret">>
): Org => ({
  currency: "usd",
  plan: "free",
  replyWindow: null,
  autoAck: false,
  awayNotice: null,
  reviewUrl: null,
  briefHour: 6,
  opsDailyCap: 50,
  quietFrom: 21,
  quietTo: 7,
  refundCeilingCents: null,
  guestChangesHours: null,
  accent: null,
  logoUrl: null,
  coverUrl: null,
  confirmEmail: false,
  units: null,
  secret: "",
  ...given
})

/**
 * The settings that `org_update` may change.
 *
 * @category models
 */
export type OrgPatch = Partial<Omit<Org, "id" | "slug" | "plan" | "secret" | "createdAt">>
