/**
 * Converts between cents and Stripe's units. Most currencies use the ISO 4217 minor unit, and the sets below list the
 * exceptions. Amounts are never rounded: an amount that Stripe cannot charge is an error.
 */
import * as Either from "effect/Either"

/**
 * Stripe expects these amounts in hundredths, although ISO 4217 defines no minor unit for these currencies. The last
 * two digits must be 0.
 */
const inHundredths = new Set(["isk", "ugx"])

/** Stripe expects these amounts in whole units, although ISO 4217 defines a minor unit for these currencies. */
const inWholes = new Set(["mga"])

/** These currencies have three decimals, but Stripe accepts only two, so the last digit must be 0. */
const inTens = new Set(["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"])

/** Converts an amount to Stripe's unit, or returns the reason why Stripe cannot charge it. */
export const toStripeUnits = (cents: number, currency: string): Either.Either<number, string> => {
  if (inHundredths.has(currency)) return Either.right(cents * 100)
  const step = inWholes.has(currency) ? 100 : inTens.has(currency) ? 10 : 1
  if (cents % step !== 0) {
    return Either.left(
      `Stripe cannot charge ${cents} minor units of ${currency.toUpperCase()}. Use a multiple of ${step}.`
    )
  }
  return Either.right(inWholes.has(currency) ? cents / 100 : cents)
}

/** Converts an amount from Stripe's unit. */
export const toCents = (amount: number, currency: string): number => {
  if (inHundredths.has(currency)) return amount / 100
  return inWholes.has(currency) ? amount * 100 : amount
}
