import * as Either from "effect/Either"
import { hasChanges } from "../Decider.ts"
import { type CancellationPolicy, findCancellationPolicyError } from "../pricing/CancellationPolicy.ts"
import { type Fee, findFeesError } from "../pricing/Pricing.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import type { UnitSystem } from "./units.ts"

/** The plans an outfitter can be on. */
export const plans = ["free", "pro"] as const

export type Plan = (typeof plans)[number]

/** An outfitter's account, which owns all other resources. */
export interface Org {
  readonly id: string
  readonly name: string
  /** The name in URLs, such as `/book/{slug}` for the booking page. The slug is unique across all orgs. */
  readonly slug: string
  /** The IANA name of the time zone for weekly hours and local dates. */
  readonly timezone: string
  readonly currency: string
  readonly plan: Plan
  /** The phone number for guests, as the outfitter entered it. */
  readonly phone: string | null
  readonly replyWindow: string | null
  readonly autoAck: boolean
  readonly awayNotice: string | null
  readonly reviewUrl: string | null
  readonly briefHour: number
  readonly opsDailyCap: number
  readonly quietFrom: number | null
  readonly quietTo: number | null
  readonly refundCeilingCents: number | null
  /**
   * Guests can move or cancel their booking on the guest page until this many hours before the start. If null, they
   * must message the outfitter instead.
   */
  readonly guestChangesHours: number | null
  /**
   * The design of the public pages: a color as `#rrggbb` and two pictures. A picture is an https URL on another site or
   * the path of an uploaded image.
   */
  readonly accent: string | null
  readonly logoUrl: string | null
  readonly coverUrl: string | null
  /** Whether a booking from the public page is confirmed only after the guest opens an emailed link. */
  readonly confirmEmail: boolean
  /**
   * The units for weather and river data in human-readable text. Null means the default for the time zone (`getUnits`).
   */
  readonly units: UnitSystem | null
  /** The fees and taxes on all bookings, in the order they apply. */
  readonly fees: ReadonlyArray<Fee>
  /**
   * The default cancellation policy. If null, a cancellation before the start refunds everything, and a later one
   * refunds nothing.
   */
  readonly cancellationPolicy: CancellationPolicy | null
  /** Whether staff members other than owners may refund, void, and cancel without a refund. */
  readonly staffMayRefund: boolean
  /**
   * The secret that signs form state, emailed links, and network digests, so that only this service can create them. It
   * is stored but never returned.
   */
  readonly secret: string
  readonly createdAt: Instant
}

/** The kinds of images that an outfitter can upload. */
export const imageKinds = ["logo", "cover"] as const

export type ImageKind = (typeof imageKinds)[number]

/** Returns the path of an uploaded image, relative to the public URL. */
export const getImagePath = (orgId: string, kind: ImageKind, id: string): string =>
  `/photos/${orgId}/${id}/${kind}.webp`

/**
 * Returns an org's uploaded images, each as `<kind> <id>`. `org_update` accepts only https URLs, so every path belongs
 * to an uploaded image.
 */
export const listUploadedImages = ({ coverUrl, logoUrl }: Pick<Org, "coverUrl" | "logoUrl">): ReadonlyArray<string> =>
  [logoUrl, coverUrl].flatMap((url) => {
    const [, id, kind] = /^\/photos\/[^/]+\/([^/]+)\/(logo|cover)\.webp$/.exec(url ?? "") ?? []
    return id === undefined || kind === undefined ? [] : [`${kind} ${id}`]
  })

/** Creates an org with default settings. */
export const make = (
  input:
    & Pick<Org, "id" | "name" | "slug" | "timezone" | "createdAt">
    & Partial<Pick<Org, "currency" | "plan" | "secret">>
): Org => ({
  currency: "usd",
  plan: "free",
  phone: null,
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
  fees: [],
  cancellationPolicy: null,
  staffMayRefund: false,
  secret: "",
  ...input
})

/** The fields that can change. The operation `org.update` cannot change the plan, because only the operator can. */
export type OrgPatch = Partial<Omit<Org, "id" | "slug" | "secret" | "createdAt">>

/** Applies a patch to the settings. Returns the same org if nothing changes, so updates can be repeated safely. */
export const update = (org: Org, patch: OrgPatch): Either.Either<Org, Refusal<"invalid_request">> => {
  const updated = { ...org, ...patch }
  if ((updated.quietFrom === null) !== (updated.quietTo === null)) {
    return Either.left(invalid("quiet_from: quiet hours require both quiet_from and quiet_to"))
  }
  const problem = findFeesError(updated.fees) ?? findCancellationPolicyError(updated.cancellationPolicy)
  if (problem !== undefined) return Either.left(invalid(problem))
  return Either.right(hasChanges(org, patch) ? updated : org)
}
