/**
 * The compiler says most of this. A program in JavaScript, or one whose settings
 * come from elsewhere, is told here: a name that is misspelled would be a rule that
 * is never asked, or a mailer that never sends.
 */
import { networkObjection } from "@trailbook/webhook/addresses"
import { levels } from "../runtime/JsonLog.ts"
import type { Before } from "./Before.ts"
import type { HttpOptions } from "./HttpOptions.ts"
import type { OrgDetails, RepliesOptions, TrailbookOptions, WebhookOptions } from "./TrailbookOptions.ts"
import type { Weather } from "./Weather.ts"

/**
 * Throws a `TypeError` that begins with the name of the option that is wrong.
 *
 * @category parsing
 */
export const checkOptions = (options: TrailbookOptions): void => {
  if (!isObject(options)) throw new TypeError("createTrailbook: give options, such as { database: \":memory:\" }")
  named("", options, optionNames)
  must("org", options.org, isOrg, "the slug or the id of an outfitter, or details such as { name, timezone }")
  must("clock", options.clock, (clock) => isFunction(clock) || has(clock, "now"), "a function, or have now()")
  must("log", options.log, isFunction, "a function")
  must("logLevel", options.logLevel, isOneOf(levels), `one of ${levels.join(", ")}`)
  must("migrations", options.migrations, isOneOf(ways), `one of ${ways.join(", ")}`)
  must("mailer", options.mailer, (mailer) => mailer === "none" || has(mailer, "send"), "\"none\", or have send()")
  must("notifier", options.notifier, (notifier) => has(notifier, "tell"), "an object with tell()")
  must(
    "payments",
    options.payments,
    (given) => has(given, "checkout", "refund"),
    "an object with checkout() and refund()"
  )
  for (const name of ["connected", "look", "close"] as const) {
    must(`payments.${name}`, options.payments?.[name], isFunction, "a function")
  }
  must(
    "files",
    options.files,
    (given) => isText(given) && given !== "" || has(given, "put", "get", "remove"),
    "the path of a folder, or an object with put(), get() and remove()"
  )
  named("replies", options.replies, { domain: true, secret: true } satisfies Names<RepliesOptions>)
  must(
    "replies.domain",
    options.replies?.domain ?? (options.replies && null),
    isText,
    "a domain such as reply.example.com"
  )
  must("replies.secret", options.replies?.secret ?? (options.replies && null), isText, "a text")
  must(
    "drafter",
    options.drafter,
    (given) => has(given, "draft") || isObject(given) && isAddress(Reflect.get(given, "url")) && isModel(given),
    "an object with draft(), or the url, model and key of a language model"
  )
  named("weather", options.weather, { forecast: true, gauges: true } satisfies Names<Weather>)
  must(
    "weather.forecast",
    options.weather?.forecast,
    (given) => has(given, "at") || isSource(given, "open-meteo", "nws"),
    "an object with at(), or { source: \"open-meteo\" } or { source: \"nws\", contact }"
  )
  must(
    "weather.gauges",
    options.weather?.gauges,
    (given) => has(given, "at") || isSource(given, "usgs"),
    "an object with at(), or { source: \"usgs\" }"
  )
  named("before", options.before, { bookingCreate: true } satisfies Names<Before>)
  must("before.bookingCreate", options.before?.bookingCreate, isFunction, "a function")
  named("webhooks", options.webhooks, { allow: true, keys: true } satisfies Names<WebhookOptions>)
  if (options.webhooks !== undefined) checkWebhooks(options.webhooks)
  named("http", options.http, httpNames)
  if (options.http !== undefined) checkHttp(options.http)
}

const checkWebhooks = ({ allow = [], keys }: WebhookOptions): void => {
  if (typeof keys !== "string") throw new TypeError("webhooks.keys: must be a text, as k1:<base64>")
  must("webhooks.allow", allow, Array.isArray, "an array")
  for (const network of allow) {
    const objection = networkObjection(network)
    if (objection !== undefined) throw new TypeError(`webhooks.allow: ${network} ${objection}`)
  }
}

const checkHttp = ({ authorize, basePath, rateLimitPerSecond, surfaces, trustedOrigins }: HttpOptions): void => {
  must("http.basePath", basePath, isText, "a text")
  must("http.authorize", authorize, isFunction, "a function")
  must("http.rateLimitPerSecond", rateLimitPerSecond, isLimit, "a number of at least 0")
  must("http.surfaces", surfaces, every(isOneOf(surfaceNames)), `an array of ${surfaceNames.join(", ")}`)
  if (surfaces?.includes("widget") === true && !surfaces.includes("pages")) {
    throw new TypeError("http.surfaces: widget shows the pages on other websites, so pages must be there too")
  }
  must("http.trustedOrigins", trustedOrigins, every(isAddress), "an array of addresses such as https://app.example.com")
}

const must = (name: string, value: unknown, is: (value: unknown) => boolean, what: string): void => {
  if (value !== undefined && !is(value)) throw new TypeError(`${name}: must be ${what}`)
}

const named = (group: string, value: unknown, names: Readonly<Record<string, true>>): void => {
  if (value === undefined) return
  if (!isObject(value)) throw new TypeError(`${group}: must be an object`)
  const other = Object.keys(value).find((name) => !Object.hasOwn(names, name))
  if (other === undefined) return
  const all = Object.keys(names).join(", ")
  throw new TypeError(`${group === "" ? other : `${group}.${other}`}: is no option; there are ${all}`)
}

/** All of them, or it does not compile. */
type Names<Options> = Readonly<Record<keyof Options, true>>

const optionNames = {
  database: true,
  org: true,
  migrations: true,
  clock: true,
  mailer: true,
  notifier: true,
  publicUrl: true,
  payments: true,
  files: true,
  replies: true,
  drafter: true,
  weather: true,
  before: true,
  webhooks: true,
  http: true,
  log: true,
  logLevel: true
} satisfies Names<TrailbookOptions>

const httpNames = {
  basePath: true,
  surfaces: true,
  authorize: true,
  trustedOrigins: true,
  rateLimitPerSecond: true
} satisfies Names<HttpOptions>

const surfaceNames = ["rest", "mcp", "pages", "widget", "dashboard"]

const ways = ["automatic", "manual"]

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
const isFunction = (value: unknown): boolean => typeof value === "function"
const isText = (value: unknown): boolean => typeof value === "string"
const isLimit = (value: unknown): boolean => typeof value === "number" && value >= 0
const isOneOf = (values: ReadonlyArray<string>) => (value: unknown): boolean => values.some((one) => one === value)
const isAddress = (value: unknown): boolean => typeof value === "string" && URL.canParse(value)
const isModel = (given: object): boolean =>
  isText(Reflect.get(given, "model")) && ["string", "undefined"].includes(typeof Reflect.get(given, "key"))
const every = (is: (value: unknown) => boolean) => (value: unknown): boolean => Array.isArray(value) && value.every(is)

/** Methods may be inherited, as those of a class are. */
const has = (value: unknown, ...methods: ReadonlyArray<string>): boolean =>
  isObject(value) && methods.every((name) => isFunction(Reflect.get(value, name)))

/** The National Weather Service refuses who does not say how to reach them. */
const isSource = (value: unknown, ...names: ReadonlyArray<string>): boolean =>
  isObject(value) && "source" in value && names.some((name) => name === value.source) &&
  (value.source !== "nws" || ("contact" in value && isText(value.contact))) &&
  (!("url" in value) || value.url === undefined || isAddress(value.url))

/** What is in the details is looked at when an account is opened with them. */
const isOrg = (value: unknown): value is string | OrgDetails => isText(value) || isObject(value)
