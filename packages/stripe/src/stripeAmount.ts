/**
 * Amounts as Stripe counts them. Nearly always that is the smallest unit of the
 * currency by ISO 4217; these are the exceptions. Nothing is rounded: an amount
 * that Stripe cannot charge is said to be one.
 */
import * as Either from "effect/Either"

/** Without minor units by ISO 4217, and counted in hundredths by Stripe, which have to be whole. */
const inHundredths = new Set(["isk", "ugx"])

/** With minor units by ISO 4217, and counted in whole ones by Stripe. */
const inWholes = new Set(["mga"])

/** With three decimals, of which Stripe takes two: the last has to be 0. */
const inTens = new Set(["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"])

/** What to ask Stripe for, or why it cannot be asked for. */
export const stripeAmount = (cents: number, currency: string): Either.Either<number, string> => {
  if (inHundredths.has(currency)) return Either.right(cents * 100)
  const step = inWholes.has(currency) ? 100 : inTens.has(currency) ? 10 : 1
  if (cents % step !== 0) {
    return Either.left(
      `Stripe cannot charge ${cents} of the smallest unit of ${currency.toUpperCase()}: it has to be a multiple of ${step}.`
    )
  }
  return Either.right(inWholes.has(currency) ? cents / 100 : cents)
}

/** The same the other way round. */
export const toCents = (amount: number, currency: string): number => {
  if (inHundredths.has(currency)) return amount / 100
  return inWholes.has(currency) ? amount * 100 : amount
}
