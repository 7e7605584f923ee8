/**
 * Checks the options at runtime, for JavaScript callers and external configuration. An unknown option name is an error,
 * because a misspelled `before` rule would never run.
 */
import { levels } from "@trailbook/runtime/JsonLog"
import { findNetworkError } from "@trailbook/webhook/addresses"
import type { BeforeHooks } from "../hook/BeforeHooks.ts"
import type { Weather } from "../service/Weather.ts"
import type { HttpOptions, RepliesOptions, TrailbookOptions, WebhookOptions } from "./TrailbookOptions.ts"

/** Throws a `TypeError` whose message starts with the name of the invalid option. */
export const checkOptions = (options: TrailbookOptions): void => {
  if (!isObject(options)) throw new TypeError("createTrailbook: requires options, such as { database: \":memory:\" }")
  checkGroup("", options, rules)
  for (const name of ["connected", "look", "close"] as const) {
    checkValue(`payments.${name}`, options.payments?.[name], [isFunction, "a function"])
  }
  checkGroup("replies", options.replies, repliesRules)
  checkGroup("weather", options.weather, weatherRules)
  checkGroup("before", options.before, { bookingCreate: [isFunction, "a function"] } satisfies Rules<BeforeHooks>)
  checkGroup("webhooks", options.webhooks, webhookRules)
  for (const network of options.webhooks?.allow ?? []) {
    const problem = findNetworkError(network)
    if (problem !== undefined) throw new TypeError(`webhooks.allow: ${network} ${problem}`)
  }
  checkGroup("http", options.http, httpRules)
  const { surfaces = [] } = options.http ?? {}
  if (surfaces.includes("widget") && !surfaces.includes("pages")) {
    throw new TypeError("http.surfaces: widget requires pages, because the widget shows these pages on other websites")
  }
}

/** A predicate, and the requirement as worded in the error message. */
type Rule = readonly [isValid: (value: unknown) => boolean, description: string, required?: "required"]

/** The rules for a group of options. The type requires a rule for each option. */
type Rules<Options> = Readonly<Record<keyof Options, Rule>>

const checkGroup = (group: string, value: unknown, rules: Readonly<Record<string, Rule>>): void => {
  if (value === undefined) return
  if (!isObject(value)) throw new TypeError(`${group}: must be an object`)
  const formatName = (name: string): string => group === "" ? name : `${group}.${name}`
  const unknownName = Object.keys(value).find((name) => !Object.hasOwn(rules, name))
  if (unknownName !== undefined) {
    throw new TypeError(`${formatName(unknownName)}: is not an option. Valid options: ${Object.keys(rules).join(", ")}`)
  }
  for (const [name, rule] of Object.entries(rules)) checkValue(formatName(name), Reflect.get(value, name), rule)
}

const checkValue = (name: string, value: unknown, [isValid, description, required]: Rule): void => {
  if ((value !== undefined || required !== undefined) && !isValid(value)) {
    throw new TypeError(`${name}: must be ${description}`)
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const surfaceNames = ["rest", "mcp", "pages", "widget", "dashboard"]

const migrationModes = ["automatic", "manual"]

const isFunction = (value: unknown): boolean => typeof value === "function"
const isText = (value: unknown): boolean => typeof value === "string"
const isLimit = (value: unknown): boolean => typeof value === "number" && value >= 0
const isOneOf = (values: ReadonlyArray<string>) => (value: unknown): boolean => values.some((one) => one === value)
const isAddress = (value: unknown): boolean => typeof value === "string" && URL.canParse(value)
const isModel = (model: object): boolean =>
  isText(Reflect.get(model, "model")) && ["string", "undefined"].includes(typeof Reflect.get(model, "key"))
const isArrayOf = (isValid: (value: unknown) => boolean) => (value: unknown): boolean =>
  Array.isArray(value) && value.every(isValid)

/** Returns whether a value has the methods, including inherited ones. */
const hasMethods = (value: unknown, ...methods: ReadonlyArray<string>): boolean =>
  isObject(value) && methods.every((name) => isFunction(Reflect.get(value, name)))

/**
 * Returns whether a value configures one of these sources. The National Weather Service rejects requests without
 * contact information, so `nws` requires a contact.
 */
const isSource = (value: unknown, ...names: ReadonlyArray<string>): boolean =>
  isObject(value) && "source" in value && names.some((name) => name === value.source) &&
  (value.source !== "nws" || ("contact" in value && isText(value.contact))) &&
  (!("url" in value) || value.url === undefined || isAddress(value.url))

/**
 * Returns whether a value is a slug, an ID, or details. The contents of the details are validated when the outfitter is
 * created.
 */
const isOrg = (value: unknown): boolean => isText(value) || isObject(value)

/** Accepts any value, because the code that uses the option validates it. */
const checkedElsewhere: Rule = [() => true, ""]

const rules = {
  database: checkedElsewhere,
  org: [isOrg, "an outfitter's slug or ID, or details such as { name, timezone }"],
  migrations: [isOneOf(migrationModes), `one of ${migrationModes.join(", ")}`],
  clock: [(clock) => isFunction(clock) || hasMethods(clock, "now"), "a function or an object with now()"],
  mailer: [(mailer) => mailer === "none" || hasMethods(mailer, "send"), "\"none\" or an object with send()"],
  notifier: [(notifier) => hasMethods(notifier, "tell"), "an object with tell()"],
  publicUrl: checkedElsewhere,
  payments: [(payments) => hasMethods(payments, "checkout", "refund"), "an object with checkout() and refund()"],
  files: [
    (files) => isText(files) && files !== "" || hasMethods(files, "put", "get", "remove"),
    "a folder path, or an object with put(), get(), and remove()"
  ],
  replies: checkedElsewhere,
  drafter: [
    (drafter) =>
      hasMethods(drafter, "draft") || isObject(drafter) && isAddress(Reflect.get(drafter, "url")) && isModel(drafter),
    "an object with draft(), or a language model's url, model, and key"
  ],
  weather: checkedElsewhere,
  before: checkedElsewhere,
  webhooks: checkedElsewhere,
  http: checkedElsewhere,
  log: [isFunction, "a function"],
  logLevel: [isOneOf(levels), `one of ${levels.join(", ")}`]
} satisfies Rules<TrailbookOptions>

const repliesRules = {
  domain: [isText, "a domain such as reply.example.com", "required"],
  secret: [isText, "a string", "required"]
} satisfies Rules<RepliesOptions>

const weatherRules = {
  forecast: [
    (forecast) => hasMethods(forecast, "at") || isSource(forecast, "open-meteo", "nws"),
    "an object with at(), or { source: \"open-meteo\" } or { source: \"nws\", contact }"
  ],
  gauges: [
    (gauges) => hasMethods(gauges, "at") || isSource(gauges, "usgs"),
    "an object with at(), or { source: \"usgs\" }"
  ]
} satisfies Rules<Weather>

const webhookRules = {
  allow: [Array.isArray, "an array"],
  keys: [isText, "a string such as k1:<base64>", "required"]
} satisfies Rules<WebhookOptions>

const httpRules = {
  basePath: [isText, "a string"],
  surfaces: [isArrayOf(isOneOf(surfaceNames)), `an array of ${surfaceNames.join(", ")}`],
  authorize: [isFunction, "a function"],
  trustedOrigins: [isArrayOf(isAddress), "an array of origins such as https://app.example.com"],
  rateLimitPerSecond: [isLimit, "a number that is at least 0"]
} satisfies Rules<HttpOptions>
