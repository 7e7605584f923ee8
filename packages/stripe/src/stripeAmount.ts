/**
 * Converts amounts to Stripe's units. Most currencies use the minor unit of ISO 4217, and the sets below list the
 * exceptions. Amounts are never rounded. An amount that Stripe cannot charge is an error.
 */
import * as Either from "effect/Either"

/**
 * Stripe counts these currencies in hundredths, although ISO 4217 defines no minor unit. The hundredths are always 0.
 */
const inHundredths = new Set(["isk", "ugx"])

/** Stripe counts these currencies in major units, although ISO 4217 defines a minor unit. */
const inWholes = new Set(["mga"])

/** These currencies have three decimals. Stripe accepts two, so the last decimal must be 0. */
const inTens = new Set(["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"])

/** Converts an amount to Stripe's unit. Returns the reason if Stripe cannot charge the amount. */
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

/** Converts an amount from Stripe's unit. */
export const toCents = (amount: number, currency: string): number => {
  if (inHundredths.has(currency)) return amount / 100
  return inWholes.has(currency) ? amount * 100 : amount
}
