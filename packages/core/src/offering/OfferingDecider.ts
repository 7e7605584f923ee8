/**
 * An offering's transitions.
 *
 * | command  | is refused if                                                               | event                  |
 * |----------|-----------------------------------------------------------------------------|------------------------|
 * | Create   | only one of `lat` and `lon` is set, or the prices or the policy are invalid | offering.created       |
 * | Update   | the updated offering violates a rule of `Create`                            | offering.updated       |
 * | SetHours | the offering is a class, or an entry is invalid                             | offering.hours_updated |
 * | Delete   | the offering has bookings that may not be canceled                          | offering.deleted       |
 *
 * No command changes an existing booking. A command without changes produces no event.
 */
import * as Either from "effect/Either"
import { type Decider, hasChanges } from "../Decider.ts"
import { findCancellationPolicyError } from "../pricing/CancellationPolicy.ts"
import { findPricingError } from "../pricing/Pricing.ts"
import { invalid, type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { type HoursEntry, type Offering, type OfferingSettings, syncFirstRate } from "./Offering.ts"

export type OfferingCommand =
  | { readonly _tag: "Create" }
  | { readonly _tag: "Update"; readonly patch: Partial<OfferingSettings> }
  | { readonly _tag: "SetHours"; readonly hours: ReadonlyArray<HoursEntry> }
  | {
    readonly _tag: "Delete"
    readonly now: Instant
    /** The numbers of upcoming bookings and live holds, counted in the current transaction. */
    readonly upcoming: number
    readonly holds: number
    readonly cancelBookings: boolean
  }

export type OfferingEvent =
  | { readonly _tag: "offering.created" }
  | { readonly _tag: "offering.updated"; readonly patch: Partial<OfferingSettings> }
  | { readonly _tag: "offering.hours_updated"; readonly hours: ReadonlyArray<HoursEntry> }
  | { readonly _tag: "offering.deleted"; readonly at: Instant }

/** The possible refusals for each command. */
export type OfferingRefusals = {
  readonly Create: Refusal<"invalid_request">
  readonly Update: Refusal<"invalid_request">
  readonly SetHours: Refusal<"invalid_request" | "wrong_kind">
  readonly Delete: Refusal<"has_bookings">
}

const findSettingsProblem = (
  { cancellationPolicy, lat, lon, pricing }: Pick<Offering, "lat" | "lon" | "pricing" | "cancellationPolicy">
): string | undefined =>
  (lat === null) !== (lon === null)
    ? "lat: set the latitude and the longitude together, or omit both"
    : (pricing === null ? undefined : findPricingError(pricing)) ?? findCancellationPolicyError(cancellationPolicy)

const findHoursProblem = (hours: ReadonlyArray<HoursEntry>): string | undefined => {
  for (const [at, { date, endTime, startTime, validFrom, validUntil, weekday }] of hours.entries()) {
    if (endTime <= startTime) {
      return `hours.${at}.end_time: must be after start_time. For hours past midnight, use two entries, the first ` +
        "ending at 24:00"
    }
    if (date !== undefined && (validFrom ?? validUntil) !== undefined) {
      return `hours.${at}.date: set either date, or valid_from and valid_until`
    }
    if (date !== undefined && weekday !== LocalDate.weekday(date)) {
      return `hours.${at}.weekday: must be the weekday of date, or omitted`
    }
    if (validFrom !== undefined && validUntil !== undefined && validUntil < validFrom) {
      return `hours.${at}.valid_until: must not be before valid_from`
    }
  }
  return undefined
}

type Decisions = Decider<Offering, OfferingCommand, OfferingEvent, OfferingRefusals>

const decide: Decisions["decide"] = {
  Create: (offering) => {
    const problem = findSettingsProblem(offering)
    return problem === undefined ? Either.right([{ _tag: "offering.created" }]) : Either.left(invalid(problem))
  },
  Update: (offering, { patch: requestedPatch }) => {
    const patch = syncFirstRate(offering.pricing, requestedPatch)
    const problem = findSettingsProblem({ ...offering, ...patch })
    if (problem !== undefined) return Either.left(invalid(problem))
    return Either.right(hasChanges(offering, patch) ? [{ _tag: "offering.updated", patch }] : [])
  },
  SetHours: (offering, { hours }) => {
    if (offering.kind === "class") {
      return Either.left(refuse("wrong_kind"))
    }
    const problem = findHoursProblem(hours)
    if (problem !== undefined) return Either.left(invalid(problem))
    return Either.right(hasChanges(offering, { hours }) ? [{ _tag: "offering.hours_updated", hours }] : [])
  },
  Delete: (_, { cancelBookings, holds, now, upcoming }) =>
    upcoming + holds > 0 && !cancelBookings
      ? Either.left(refuse("has_bookings", upcoming, holds))
      : Either.right([{ _tag: "offering.deleted", at: now }])
}

const evolve = (offering: Offering, event: OfferingEvent): Offering => {
  switch (event._tag) {
    case "offering.created":
      return offering
    case "offering.updated":
      return { ...offering, ...event.patch }
    case "offering.hours_updated":
      return { ...offering, hours: event.hours }
    case "offering.deleted":
      return { ...offering, active: false, photos: [], deletedAt: event.at }
  }
}

export const offeringDecider: Decisions = { decide, evolve }
