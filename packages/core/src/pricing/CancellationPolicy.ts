/**
 * The rules for the amount that the outfitter keeps for a canceled booking.
 * - The `until_hours` values decrease from step to step. The step that applies is the first one whose `until_hours` is
 *   at most the number of hours left until the start. If no step applies, the outfitter keeps everything.
 * - Without a policy, the outfitter keeps nothing before the start and everything afterward.
 * - A booking keeps the policy that applied when it was created. If the guest moves the booking, the outfitter keeps at
 *   least the amount for the current step. Otherwise, a move to a later date would make a cancellation free.
 */
import * as Schema from "effect/Schema"
import { formatAmount } from "../money/Currency.ts"
import type { Instant } from "../time/Instant.ts"
import * as Field from "../wire/Field.ts"
import { Integer, optionalField } from "../wire/View.ts"

/** An amount above any possible payment, so the outfitter keeps everything. */
export const unlimitedKeptCents = Number.MAX_SAFE_INTEGER

const Step = Field.object({
  until_hours: Field.withDescription(
    "when the step ends, in hours before the start",
    Field.integer(0, 8760),
    168
  ),
  keep_bps: Field.optional(
    Field.withDescription("the share of the total to keep, in hundredths of a percent", Field.integer(0, 10_000), 2500)
  ),
  keep_cents_per_place: Field.describedOptional(
    "the amount to keep per spot, instead of keep_bps",
    Field.integer(0, 10_000_000_000)
  )
})

export const CancellationPolicy = Field.object({
  steps: Field.withDescription(
    "the steps in descending order of until_hours. After the last step, nothing is refunded",
    Field.nonEmptyList(Step, 10)
  ),
  text: Field.describedOptional("shown to guests", Field.text({ min: 0, max: 1000 }))
})
export type CancellationPolicy = typeof CancellationPolicy.Type

export const CancellationPolicyView = Schema.Struct({
  steps: Field.withDescription(
    "the steps in descending order of until_hours. After the last step, nothing is refunded",
    Schema.Array(Schema.Struct({
      until_hours: Field.withDescription("when the step ends, in hours before the start", Integer, 168),
      keep_bps: optionalField("the share of the total to keep", Integer),
      keep_cents_per_place: optionalField("the amount to keep per spot", Integer)
    }))
  ),
  text: optionalField("shown to guests", Schema.String)
}).annotations({ identifier: "CancellationPolicy" })

/** The policy for a booking. Each move by the guest can raise `min_keep_cents`. */
export interface BookingCancellationPolicy extends CancellationPolicy {
  readonly min_keep_cents: number
}

/** The refund for a cancellation: full (before the start), according to the policy, or none. */
export const refundChoices = ["full", "policy", "none"] as const
export type RefundChoice = (typeof refundChoices)[number]

/** Returns the first error that the schema cannot detect. Returns undefined for a valid policy. */
export const findCancellationPolicyError = (policy: CancellationPolicy | null): string | undefined => {
  for (const [at, { keep_bps, keep_cents_per_place, until_hours }] of (policy?.steps ?? []).entries()) {
    const path = `cancellation_policy.steps.${at}`
    if ((keep_bps === undefined) === (keep_cents_per_place === undefined)) {
      return `${path}.keep_bps: set either keep_bps or keep_cents_per_place`
    }
    const previousStep = policy?.steps[at - 1]
    if (previousStep !== undefined && previousStep.until_hours <= until_hours) {
      return `${path}.until_hours: must be less than in the previous step`
    }
  }
  return undefined
}

/** Describes a policy in sentences for assistants and language models. */
export const formatCancellationPolicy = (policy: CancellationPolicy | null, currency: string): string => {
  if (policy === null) return "Free until the start. After that: no refund."
  const steps = policy.steps.map(({ keep_bps = 0, keep_cents_per_place: perPlace, until_hours }) => {
    const keptAmount = perPlace === undefined
      ? `${keep_bps / 100}% of the total`
      : `${formatAmount(perPlace, currency)} per spot`
    return `Until ${until_hours} h before the start: ${
      (perPlace ?? keep_bps) === 0 ? "free" : `${keptAmount} is kept`
    }.`
  })
  return [...steps, "After that: no refund.", ...(policy.text === undefined ? [] : [policy.text])].join(" ")
}

/** Returns the maximum amount that the outfitter keeps if the booking is canceled now. */
export const computeKeptCents = (
  booking: {
    readonly cancellationPolicy: BookingCancellationPolicy | null
    readonly quantity: number
    readonly startsAt: Instant
    readonly totalCents: number
  },
  choice: RefundChoice,
  now: Instant
): number => {
  const { cancellationPolicy: policy, quantity, startsAt, totalCents } = booking
  if (choice === "none") return unlimitedKeptCents
  if (choice === "full" || policy === null) return startsAt > now ? 0 : unlimitedKeptCents
  const step = policy.steps.find(({ until_hours: hours }) => startsAt - now >= hours * 3_600_000)
  if (step === undefined) return unlimitedKeptCents
  const { keep_bps = 0, keep_cents_per_place: perPlace } = step
  const keptCents = perPlace === undefined ? computeShare(totalCents, keep_bps) : perPlace * quantity
  return Math.max(policy.min_keep_cents, keptCents)
}

/** Returns a share of an amount, rounded half up. Splits the amount, because a single product could exceed 2^53. */
const computeShare = (cents: number, bps: number): number => {
  const remainder = cents % 10_000
  return (cents - remainder) / 10_000 * bps + Math.floor((remainder * bps + 5000) / 10_000)
}
