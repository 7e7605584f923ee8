export interface Amount {
  readonly currency: string
  readonly value: string
}

/** Formats an amount for Mollie with its currency's decimals: 45.00 for EUR, 4500 for JPY. */
export const amountOf = (cents: number, currency: string): Amount => {
  const decimals = decimalsOf(currency)
  const digits = String(cents).padStart(decimals + 1, "0")
  const value = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return { currency: currency.toUpperCase(), value }
}

/** Parses a Mollie amount into its currency's smallest unit. */
export const centsOf = ({ value }: Amount): number => Number(value.replace(".", ""))

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
