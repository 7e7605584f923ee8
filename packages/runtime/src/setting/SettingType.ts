/**
 * Defines the value types for settings. Each type parses an entire text and returns the value, or an error that states
 * what is accepted.
 *
 * This module must not load Effect, because the program prints usage errors, `--help`, and `--version` before it reads
 * anything large from disk.
 */
import { parse } from "@trailbook/core/actor"
import { parseCurrency } from "@trailbook/core/money"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import { parseEmailAddress } from "@trailbook/core/wire"
import { findNetworkError } from "@trailbook/webhook/addresses"

export interface SettingType<out A> {
  /** The placeholder in usage lines, such as `<n>`. Null for a switch, which has no value. */
  readonly placeholder: string | null
  /** The accepted values, for messages and the reference. */
  readonly accepts: string
  readonly read: (text: string) => ParseResult<A>
  /** Set if the value can contain a password. Messages never show such a value. */
  readonly secret?: true
}

/** The value, or an error message without its subject, such as `must be true or false`. */
export type ParseResult<A> = { readonly value: A } | { readonly must: string }

/** Creates a type from a function that returns `undefined` for invalid text. */
export const makeSettingType = <A>(
  placeholder: string,
  accepts: string,
  parseText: (text: string) => A | undefined
): SettingType<A> => ({
  placeholder,
  accepts,
  read: (text) => {
    const value = parseText(text)
    return value === undefined ? { must: `must be ${accepts}` } : { value }
  }
})

export const matchingText = (placeholder: string, accepts: string, pattern: RegExp): SettingType<string> =>
  makeSettingType(placeholder, accepts, (text) => pattern.test(text) ? text : undefined)

/** Marks a type as secret, so that messages do not show its values. */
export const secret = <A>(kind: SettingType<A>): SettingType<A> => ({ ...kind, secret: true })

/** A whole number within inclusive bounds. */
export const integer = (min: number, max: number): SettingType<number> =>
  makeSettingType("<n>", `a whole number from ${min} to ${max}`, (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })

/** Trimmed text. Its length is counted in code points, as in the API. */
export const text = (placeholder: string, max: number): SettingType<string> =>
  makeSettingType(placeholder, `1 to ${max} characters long`, (text) => {
    const trimmedText = text.trim()
    const isStorable = trimmedText.isWellFormed() && !trimmedText.includes("\0")
    return isStorable && trimmedText !== "" && Array.from(trimmedText).length <= max ? trimmedText : undefined
  })

/** A listen address. Only its syntax is checked. */
export const host: SettingType<string> = matchingText("<host>", "an IP address or a host name", /^[\w.:%-]{1,255}$/)

export const choice = <const Values extends ReadonlyArray<string>>(...values: Values): SettingType<Values[number]> =>
  makeSettingType(
    `<${values.join("|")}>`,
    `one of ${values.join(", ")}`,
    (text) => values.find((value) => value === text)
  )

/** A comma-separated list of distinct values. */
export const choices = <const Values extends ReadonlyArray<string>>(
  ...values: Values
): SettingType<ReadonlyArray<Values[number]>> =>
  makeSettingType(`<${values.join(",")}>`, `a comma-separated list of ${values.join(", ")}`, (text) => {
    const names = new Set(text.split(",").map((part) => part.trim()))
    const selection = values.filter((value) => names.has(value))
    return selection.length === names.size ? selection : undefined
  })

/** A switch. Its flag has no value and turns the switch on. */
export const toggle: SettingType<boolean> = {
  placeholder: null,
  accepts: "true or false",
  read: (text) => text === "true" || text === "false" ? { value: text === "true" } : { must: "must be true or false" }
}

/** A site's URL, without a trailing slash in its path. */
export const siteUrl: SettingType<string> = makeSettingType(
  "<url>",
  "an http or https URL without a query string, such as https://book.example.com",
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "") return undefined
    return url.search === "" && url.hash === "" ? url.href.replace(/(?<!\/)\/+$/, "") : undefined
  }
)

/** A sender address. `localhost` is accepted as its domain because the operator chooses the sender. */
export const senderAddress: SettingType<string> = makeSettingType(
  "<address>",
  "one email address of at most 254 characters",
  (text) => text.length <= 254 && /^[^\s@<>()[\],;:"\\]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined
)

/** A person's email address, parsed like a guest's address in the API. */
export const personEmail: SettingType<string> = makeSettingType(
  "<address>",
  "one email address of at most 254 characters",
  parseEmailAddress
)

/** Networks in CIDR notation, separated by commas. */
export const networks: SettingType<ReadonlyArray<string>> = makeSettingType(
  "<cidr,…>",
  "comma-separated networks such as 127.0.0.0/8",
  (text) => {
    const entries = text.split(",").map((part) => part.trim())
    return entries.every((network) => findNetworkError(network) === undefined) ? entries : undefined
  }
)

/** Encryption keys with their IDs. Checks only the syntax, not whether the key IDs are unique. */
export const secretsKeys: SettingType<string> = secret(
  makeSettingType("<keys>", "comma-separated keys from secrets generate", (text) => {
    const entries = text.split(",").map((entry) => entry.trim())
    return entries.every((entry) => /^[\w-]{1,16}:[\w+/-]{43}=?$/.test(entry)) ? entries.join(",") : undefined
  })
)

/** An API key for another service. */
export const weatherServiceKey: SettingType<string> = secret(
  matchingText("<key>", "1 to 200 printable ASCII characters without spaces", /^[\x21-\x7e]{1,200}$/)
)

export const encryptionKeyId: SettingType<string> = matchingText(
  "<id>",
  "1 to 16 letters, digits, -, and _",
  /^[\w-]{1,16}$/
)

/** A Trailbook API key. */
export const apiKey: SettingType<string> = secret(
  makeSettingType("<key>", "an API key from keys create", (text) => parse(text) === undefined ? undefined : text)
)

export const folder: SettingType<string> = makeSettingType(
  "<folder>",
  "a folder path",
  (text) => text === "" || text.includes("\0") ? undefined : text
)

export const file: SettingType<string> = makeSettingType(
  "<file>",
  "a file path",
  (text) => text === "" || text.includes("\0") || text.endsWith("/") ? undefined : text
)

export const instant: SettingType<Instant.Instant> = makeSettingType(
  "<instant>",
  "an ISO 8601 instant with Z or an offset, such as 2027-05-01T15:00:00Z",
  Instant.parse
)

export const timeZone: SettingType<string> = makeSettingType(
  "<zone>",
  "an IANA time zone name, such as America/Denver",
  (text) => Zone.find(text)?.name
)

export const currency: SettingType<string> = makeSettingType(
  "<code>",
  "a three-letter ISO 4217 code, such as usd",
  parseCurrency
)
