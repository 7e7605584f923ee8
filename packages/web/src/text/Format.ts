/** Formats dates, times, and amounts for a reader's locale, in an org's time zone and currency. */
import { getCurrencyDecimals } from "@trailbook/core/money"
import type { ReaderLocale } from "./Text.ts"

/** Caches the result for each key and clears the cache when it reaches `maxSize` entries. */
export const memoize = <const Key extends ReadonlyArray<string | number>, A>(
  make: (...key: Key) => A,
  maxSize = 2000
) => {
  const cache = new Map<string | number | undefined, A>()
  return (...key: Key): A => {
    const name = key.length === 1 ? key[0] : key.join(" ")
    const cachedValue = cache.get(name)
    if (cachedValue !== undefined) return cachedValue
    const value = make(...key)
    if (cache.size >= maxSize) cache.clear()
    cache.set(name, value)
    return value
  }
}

/** Methods accept instants in wire format (`2027-05-01T15:00:00.000Z`) or local dates (`2027-05-01`). */
export type Format = ReturnType<typeof make>

interface TimeSpan {
  readonly starts_at: string
  readonly ends_at: string
}

/** Creates the formats. Without `hour12`, times use the format of the reader's locale. */
export const make = (
  { locale }: ReaderLocale,
  { currency, hour12, timezone }: { readonly currency: string; readonly timezone: string; readonly hour12?: true }
) => makeFormats(locale, currency, timezone, hour12 === undefined ? "" : "12")

/** Pages repeat the same times, so the formatted text is cached across requests. */
const makeFormats = memoize((locale: string, currency: string, timeZone: string, hours: string) => {
  const makeInstantFormat = (
    options: Intl.DateTimeFormatOptions,
    formatLocale = locale
  ): (instant: string) => string => {
    const format = getDateFormat(formatLocale, { ...options, timeZone })
    return memoize((instant: string) => format.format(new Date(instant)), 1000)
  }
  const makeDateFormat = (options: Intl.DateTimeFormatOptions) => {
    const format = getDateFormat(locale, { ...options, timeZone: "UTC" })
    return (date: string) => format.format(new Date(`${date}T12:00:00Z`))
  }
  const clock = hours === "" ? {} : { hour12: true }
  const time = makeInstantFormat({ hour: "numeric", minute: "2-digit", ...clock })
  const day = makeInstantFormat({ weekday: "short", month: "short", day: "numeric" })
  const localDate = makeInstantFormat({ year: "numeric", month: "2-digit", day: "2-digit" }, "en-CA")
  const zone = (instant: string): string => {
    const parts = getDateFormat(locale, { timeZoneName: "short", timeZone }).formatToParts(new Date(instant))
    return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone
  }
  const moment = (instant: string): string => `${day(instant)}, ${time(instant)}`
  const times = ({ ends_at, starts_at }: TimeSpan): string =>
    `${time(starts_at)} – ${localDate(starts_at) === localDate(ends_at) ? time(ends_at) : moment(ends_at)}`
  const numbers = new Intl.NumberFormat(locale)
  const decimals = getCurrencyDecimals(currency)
  return {
    /** Formats an amount, such as `$95` or `$95.50`. `cents` is in the smallest currency unit. */
    money: (cents: number): string => {
      const digits = cents % 10 ** decimals === 0 ? 0 : decimals
      // Shifting the decimal exponent in the text preserves every digit. The cast is needed because TypeScript cannot
      // infer that the text is numeric.
      return getAmountFormat(locale, currency, digits).format(`${cents}E-${decimals}` as `${number}`)
    },
    number: memoize((value: number) => numbers.format(value), 1000),
    /** Formats an instant's local time, such as `9:00 AM`. */
    time,
    /** Formats a local time, `09:00` or `09:00:00`. `24:00` is midnight. */
    wall: (time: string): string => {
      const format = getDateFormat(locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC", ...clock })
      return format.format(new Date(`2023-01-01T${time.startsWith("24") ? "00:00" : time.slice(0, 5)}Z`))
    },
    /** Formats an hour from 0 to 23, such as `9 AM`. */
    hour: (hour: number): string =>
      getDateFormat(locale, { hour: "numeric", timeZone: "UTC", ...clock }).format(
        new Date(Date.UTC(2023, 0, 1, hour))
      ),
    /** Formats an instant's local date, such as `Mon, Nov 23`. */
    day,
    /** Formats an instant, such as `Mon, Nov 23, 9:00 AM`. */
    moment,
    /** Formats an instant with the time zone, such as `Mon, Nov 23, 9:00 AM MST`. */
    momentWithZone: (instant: string): string => `${moment(instant)} ${zone(instant)}`,
    /** Formats the times of a span, such as `9:00 AM – 1:00 PM MST`, with the end date if it differs. */
    timesWithZone: (span: TimeSpan): string => `${times(span)} ${zone(span.ends_at)}`,
    /** Formats a span, such as `Mon, Nov 23, 9:00 AM – 1:00 PM`, with the end date if it differs. */
    timeRange: (span: TimeSpan): string => `${day(span.starts_at)}, ${times(span)}`,
    /** Formats an instant's local date, such as `Monday, November 23, 2026`. */
    longDay: makeInstantFormat({ weekday: "long", month: "long", day: "numeric", year: "numeric" }),
    /** Formats a local date, such as `Monday, November 23`. */
    date: makeDateFormat({ weekday: "long", month: "long", day: "numeric" }),
    /** Formats a local date, such as `Mon, Nov 23`. */
    shortDate: makeDateFormat({ weekday: "short", month: "short", day: "numeric" }),
    /** Formats the month of a local date, such as `November 2026`. */
    month: makeDateFormat({ month: "long", year: "numeric" }),
    /** Returns the weekday names, starting with Sunday: `Sun` or `Sunday`. */
    weekdays: (weekday: "short" | "long"): ReadonlyArray<string> => {
      const format = makeDateFormat({ weekday })
      // January 1, 2023, was a Sunday.
      return [1, 2, 3, 4, 5, 6, 7].map((day) => format(`2023-01-0${day}`))
    },
    /** Returns the time zone's name at an instant, such as `MST` or `GMT+2`. */
    zone,
    /** Formats minutes: `4 hours`, `1 hour 30 minutes`, or `3 days`. */
    length: (minutes: number): string => formatLength(locale, minutes),
    /** The first day of the week in the reader's region. 0 is Sunday. */
    weekBegins: sundayRegions.has(locale.slice(3)) ? 0 as const : 1 as const,
    /** Returns the local date of an instant, such as `2026-11-23`. */
    localDate
  }
}, 16)

const sundayRegions = new Set(["CA", "CO", "IN", "MX", "PE", "US", "ZA"])

const formatLength = (locale: string, minutes: number): string => {
  const parts: ReadonlyArray<readonly [string, number]> = minutes % 1440 === 0
    ? [["day", minutes / 1440]]
    : [["hour", Math.floor(minutes / 60)], ["minute", minutes % 60]]
  return parts.filter(([, count]) => count > 0).map(([unit, count]) => getUnitFormat(locale, unit).format(count)).join(
    " "
  )
}

/** Returns a time zone's city: `Denver` for `America/Denver`. */
export const getZoneCity = (timezone: string): string => (timezone.split("/").at(-1) ?? timezone).replaceAll("_", " ")

/**
 * Formatters are cached, because creating one takes up to 170 µs. There are few of them: one set for each locale and
 * time zone in use.
 */
const dateFormats = memoize((locale: string, options: string) => new Intl.DateTimeFormat(locale, JSON.parse(options)))
const getDateFormat = (locale: string, options: Intl.DateTimeFormatOptions) =>
  dateFormats(locale, JSON.stringify(options))

const getUnitFormat = memoize((locale: string, unit: string) =>
  new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" })
)

const getAmountFormat = memoize((locale: string, currency: string, digits: number) =>
  new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    // In Spanish, US dollars are shown as `$95` in every region.
    currencyDisplay: locale.startsWith("es") && currency.toUpperCase() === "USD" ? "narrowSymbol" : "symbol",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits
  })
)
