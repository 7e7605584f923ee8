/**
 * Converts amounts to Stripe's units. Usually these are the ISO 4217 minor units. The exceptions are listed here.
 * Nothing is rounded: an amount that Stripe cannot charge is returned as an error.
 */
import * as Either from "effect/Either"

/** Currencies without minor units in ISO 4217 that Stripe counts in hundredths. The hundredths must be 0. */
const inHundredths = new Set(["isk", "ugx"])

/** Currencies with minor units in ISO 4217 that Stripe counts in major units. */
const inWholes = new Set(["mga"])

/** Currencies with three decimals, of which Stripe accepts two. The last decimal must be 0. */
const inTens = new Set(["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"])

/** Converts an amount for Stripe, or returns why Stripe cannot charge it. */
export const stripeAmount = (cents: number, currency: string): Either.Either<number, string> => {
  if (inHundredths.has(currency)) return Either.right(cents * 100)
  const step = inWholes.has(currency) ? 100 : inTens.has(currency) ? 10 : 1
  if (cents % step !== 0) {
    return Either.left(
      `Stripe cannot charge ${cents} of the smallest unit of ${currency.toUpperCase()}: the amount must be a multiple of ${step}.`
    )
  }
  return Either.right(inWholes.has(currency) ? cents / 100 : cents)
}

/** Converts an amount of Stripe back. */
export const toCents = (amount: number, currency: string): number => {
  if (inHundredths.has(currency)) return amount / 100
  return inWholes.has(currency) ? amount * 100 : amount
}
