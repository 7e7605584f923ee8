/**
 * The kinds of value that settings are made of. Each reads a text whole and
 * answers with the value, or with a sentence that names its bound.
 *
 * Nothing here loads Effect: a command line that was typed wrong, `--help` and
 * `--version` answer before anything heavy is read from disk.
 */
import { parse } from "@trailbook/core/actor/ApiKey"
import { currencies } from "@trailbook/core/money/Currency"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import { emailAddress } from "@trailbook/core/wire/emailAddress"
import { networkError } from "@trailbook/webhook/addresses"

/**
 * @category models
 */
export interface SettingType<out A> {
  /** What stands for the value in a usage line, such as `<n>`; null for a switch, which has none. */
  readonly placeholder: string | null
  /** What is accepted, as the reference says it. */
  readonly accepts: string
  readonly read: (text: string) => ParseResult<A>
  /** It may hold a password, so what was written is never shown. */
  readonly secret?: true
}

/**
 * A value, or what it must be instead: a sentence without its subject.
 *
 * @category models
 */
export type ParseResult<A> = { readonly value: A } | { readonly must: string }

/**
 * What is read by a function that answers nothing for what is not accepted.
 *
 * @category constructors
 */
export const kind = <A>(
  placeholder: string,
  accepts: string,
  read: (text: string) => A | undefined
): SettingType<A> => ({
  placeholder,
  accepts,
  read: (text) => {
    const value = read(text)
    return value === undefined ? { must: `must be ${accepts}` } : { value }
  }
})

/**
 * A text that matches a pattern.
 *
 * @category constructors
 */
export const matching = (placeholder: string, accepts: string, pattern: RegExp): SettingType<string> =>
  kind(placeholder, accepts, (text) => pattern.test(text) ? text : undefined)

/**
 * The same, never shown.
 *
 * @category constructors
 */
export const secret = <A>(kind: SettingType<A>): SettingType<A> => ({ ...kind, secret: true })

/**
 * A whole number, both bounds inclusive.
 *
 * @category kinds
 */
export const integer = (min: number, max: number): SettingType<number> =>
  kind("<n>", `a whole number from ${min} to ${max}`, (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })

/**
 * Text without blanks at its ends, measured in code points as the API does.
 *
 * @category kinds
 */
export const text = (placeholder: string, max: number): SettingType<string> =>
  kind(placeholder, `1 to ${max} characters long`, (text) => {
    const trimmed = text.trim()
    const storable = trimmed.isWellFormed() && !trimmed.includes("\0")
    return storable && trimmed !== "" && Array.from(trimmed).length <= max ? trimmed : undefined
  })

/**
 * Where to listen. Whether there is such an address is known when it is tried.
 *
 * @category kinds
 */
export const host: SettingType<string> = matching("<host>", "an IP address or a host name", /^[\w.:%-]{1,255}$/)

/**
 * @category kinds
 */
export const choice = <const Values extends ReadonlyArray<string>>(...values: Values): SettingType<Values[number]> =>
  kind(`<${values.join("|")}>`, `one of ${values.join(", ")}`, (text) => values.find((value) => value === text))

/**
 * Some of the values, separated by commas, each at most once.
 *
 * @category kinds
 */
export const choices = <const Values extends ReadonlyArray<string>>(
  ...values: Values
): SettingType<ReadonlyArray<Values[number]>> =>
  kind(`<${values.join(",")}>`, `a list of ${values.join(", ")}, separated by commas`, (text) => {
    const asked = new Set(text.split(",").map((part) => part.trim()))
    const found = values.filter((value) => asked.has(value))
    return found.length === asked.size ? found : undefined
  })

/**
 * A switch: naming it turns it on.
 *
 * @category kinds
 */
export const toggle: SettingType<boolean> = {
  placeholder: null,
  accepts: "true or false",
  read: (text) => text === "true" || text === "false" ? { value: text === "true" } : { must: "must be true or false" }
}

/**
 * The address of a site, without a path's last slash.
 *
 * @category kinds
 */
export const siteUrl: SettingType<string> = kind(
  "<url>",
  "an http or https address without a query, such as https://book.example.com",
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "") return undefined
    return url.search === "" && url.hash === "" ? url.href.replace(/(?<!\/)\/+$/, "") : undefined
  }
)

/**
 * An address to send from. `localhost` will do: it is the operator's own.
 *
 * @category kinds
 */
export const email: SettingType<string> = kind(
  "<address>",
  "one e-mail address of at most 254 characters",
  (text) => text.length <= 254 && /^[^\s@<>()[\],;:"\\]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined
)

/**
 * An address of somebody, read as the API reads a guest's.
 *
 * @category kinds
 */
export const address: SettingType<string> = kind(
  "<address>",
  "one e-mail address of at most 254 characters",
  emailAddress
)

/**
 * Networks in CIDR notation, separated by commas.
 *
 * @category kinds
 */
export const networks: SettingType<ReadonlyArray<string>> = kind(
  "<cidr,…>",
  "networks such as 127.0.0.0/8, separated by commas",
  (text) => {
    const all = text.split(",").map((part) => part.trim())
    return all.every((network) => networkError(network) === undefined) ? all : undefined
  }
)

/**
 * Keys to seal secrets with, each with its id. Whether they go together is seen
 * when they are used.
 *
 * @category kinds
 */
export const secretsKeys: SettingType<string> = secret(
  kind("<keys>", "keys as secrets generate prints them, separated by commas", (text) => {
    const entries = text.split(",").map((entry) => entry.trim())
    return entries.every((entry) => /^[\w-]{1,16}:[\w+/-]{43}=?$/.test(entry)) ? entries.join(",") : undefined
  })
)

/**
 * A key of another service, as that gave it.
 *
 * @category kinds
 */
export const token: SettingType<string> = secret(
  matching("<key>", "1 to 200 letters, digits and marks, without blanks", /^[\x21-\x7e]{1,200}$/)
)

/**
 * @category kinds
 */
export const keyId: SettingType<string> = matching("<id>", "1 to 16 letters, digits, - and _", /^[\w-]{1,16}$/)

/**
 * A key of the API, of any org.
 *
 * @category kinds
 */
export const apiKey: SettingType<string> = secret(
  kind("<key>", "an API key, as keys create prints it", (text) => parse(text) === undefined ? undefined : text)
)

/**
 * @category kinds
 */
export const folder: SettingType<string> = kind(
  "<folder>",
  "the path of a folder",
  (text) => text === "" || text.includes("\0") ? undefined : text
)

/**
 * @category kinds
 */
export const file: SettingType<string> = kind(
  "<file>",
  "the path of a file",
  (text) => text === "" || text.includes("\0") || text.endsWith("/") ? undefined : text
)

/**
 * @category kinds
 */
export const instant: SettingType<Instant.Instant> = kind(
  "<instant>",
  "an ISO 8601 instant with Z or an offset, such as 2027-05-01T15:00:00Z",
  Instant.parse
)

/**
 * @category kinds
 */
export const timeZone: SettingType<string> = kind(
  "<zone>",
  "the name of an IANA time zone, such as America/Denver",
  (text) => Zone.find(text)?.name
)

/**
 * @category kinds
 */
export const currency: SettingType<string> = kind(
  "<code>",
  "an ISO 4217 code in three lowercase letters, such as usd",
  (text) => currencies.has(text) ? text : undefined
)
