/**
 * A second implementation of pricing, with exact fractions and one closed formula per amount. It shares no code with
 * `quote`.
 */
import type { Extra, Fee, PriceTerms, QuoteOptions, Rate, SelectedItems } from "@trailbook/core/pricing"

/**
 * Returns the integer `r` for which `2ab − c < 2rc ≤ 2ab + c`. It is the integer nearest to `a × b ÷ c`, or the larger
 * of two equally near integers.
 */
const nearest = (a: bigint, b: bigint, c: bigint): bigint => {
  const floor = (a * b - ((a * b) % c)) / c
  return [floor, floor + 1n].find((r) => 2n * a * b - c < 2n * r * c && 2n * r * c <= 2n * a * b + c) ?? -1n
}

const add = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((sum, one) => sum + one, 0n)

export interface OraclePrice {
  /** The rates' amounts, followed by the extras' amounts. */
  readonly amounts: ReadonlyArray<bigint>
  readonly shares: ReadonlyArray<bigint>
  readonly fees: ReadonlyArray<bigint>
  readonly discount: bigint
  readonly subtotal: bigint
  readonly added: bigint
  readonly included: bigint
  readonly tax: bigint
  readonly total: bigint
  readonly dueNow: bigint
}

export const priceOracle = (
  { discount: code, fees, kind, pricing }: PriceTerms,
  { extras, places, rates }: SelectedItems,
  { adjustments, onlineHoursAhead, periods }: QuoteOptions
): OraclePrice => {
  const times = BigInt(kind === "rental" ? periods : 1)
  const rateAmounts = rates.map(({ quantity, rate }: { readonly rate: Rate; readonly quantity: number }) =>
    BigInt(rate.price_cents) * BigInt(quantity) * times
  )
  const extraAmounts = extras.map(({ extra, quantity }: { readonly extra: Extra; readonly quantity: number }) =>
    BigInt(extra.price_cents) * BigInt(quantity) * (extra.each_period ?? false ? times : 1n)
  )
  const amounts = [...rateAmounts, ...extraAmounts]
  const subtotal = add(amounts)

  const wished = code === null
    ? 0n
    : code.cents === undefined
    ? nearest(subtotal, BigInt(code.percent_bps ?? 0), 10_000n)
    : BigInt(code.cents)
  const discount = wished > subtotal ? subtotal : wished
  // A line gets one of the remaining cents if the number of lines with a larger fraction is less than the number of
  // cents.
  const fraction = (at: number) => subtotal === 0n ? 0n : discount * (amounts[at] ?? 0n) % subtotal
  const remainder = discount -
    add(amounts.map((one) => subtotal === 0n ? 0n : (discount * one - discount * one % subtotal) / subtotal))
  const shares = amounts.map((one, at) => {
    const ahead = amounts.filter((_, other) =>
      fraction(other) > fraction(at) || (fraction(other) === fraction(at) && other < at)
    )
    const floor = subtotal === 0n ? 0n : discount * one / subtotal
    return BigInt(ahead.length) < remainder ? floor + 1n : floor
  })

  const net = (on: Fee["on"]) =>
    add(amounts.map((one, at) => {
      const isRate = at < rates.length
      return (on ?? "all") === "all" || (on === "rates") === isRate ? one - (shares[at] ?? 0n) : 0n
    }))
  const contained = 10_000n + add(fees.map((fee) => fee.included === true ? BigInt(fee.percent_bps ?? 0) : 0n))
  /** Returns the amount of a fee, computed by recursion over the fees before it. */
  const feeAt = (at: number): bigint => {
    const fee = fees[at]
    if (fee === undefined) return 0n
    if (fee.cents !== undefined) return BigInt(fee.cents) * (fee.per === "place" ? BigInt(places) : 1n)
    if (fee.included === true) return nearest(subtotal - discount, BigInt(fee.percent_bps ?? 0), contained)
    const before = fee.compound === true
      ? add(fees.slice(0, at).map((one, index) => one.included === true ? 0n : feeAt(index)))
      : 0n
    return nearest(net(fee.on) + before, BigInt(fee.percent_bps ?? 0), 10_000n)
  }
  const amountOf = fees.map((_, at) => feeAt(at))
  const feesWith = (counts: (fee: Fee) => boolean) =>
    add(amountOf.filter((_, at) => fees.slice(at, at + 1).some(counts)))
  const added = feesWith((fee) => fee.included !== true)
  const total = subtotal - discount + added + add(adjustments.map(({ cents }) => BigInt(cents)))

  const deposit = pricing?.deposit ?? null
  const part = deposit === null || onlineHoursAhead === null || onlineHoursAhead < deposit.balance_due_hours
    ? total
    : deposit.cents === undefined
    ? nearest(total, BigInt(deposit.percent_bps ?? 0), 10_000n)
    : BigInt(deposit.cents) * (deposit.per === "place" ? BigInt(places) : 1n)
  return {
    amounts,
    shares,
    fees: amountOf,
    discount,
    subtotal,
    added,
    included: feesWith((fee) => fee.included === true),
    tax: feesWith((fee) => fee.tax === true),
    total,
    dueNow: onlineHoursAhead === null ? 0n : part < total ? part : total
  }
}
