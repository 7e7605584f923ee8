/**
 * A saved reply with its variables filled in.
 */
import { withoutLinks } from "../wire/webAddress.ts"

/**
 * What a saved reply may name.
 *
 * @category models
 */
export const templateVariables = [
  "first_name",
  "start_time",
  "offering",
  "meeting_point",
  "org",
  "booking_link"
] as const

/**
 * @category models
 */
export type Variable = (typeof templateVariables)[number]

/**
 * The values of variables: one that is left out has none, and its word stays for
 * somebody to fill in.
 *
 * @category models
 */
export type Values = { readonly [Name in Variable]?: string }

/**
 * A value for every variable, to find names in braces that are no variable.
 *
 * @category constants
 */
export const sampleValues: Values = Object.fromEntries(templateVariables.map((name) => [name, name]))

/**
 * The text with each variable replaced by its value, in one go: a value that looks
 * like a variable stays as it is. A word in braces that is no variable stays, too.
 *
 * @category converting
 */
export const renderTemplate = (body: string, values: Values): string =>
  body.replace(/\{([a-z_]+)\}/g, (whole, name: string) => isVariable(name) ? values[name] ?? whole : whole)

/**
 * The names in braces that `fillIn` cannot replace, each once: those that are no variable, and variables whose value is
 * empty or unknown.
 *
 * @category calculating
 */
export const missingIn = (text: string, values: Values): ReadonlyArray<string> => [
  ...new Set(
    Array.from(text.matchAll(/\{([\p{L}_][\p{L}\p{N}_ -]{0,39})\}/gu), ([, name = ""]) => name)
      .filter((name) => !isVariable(name) || (values[name] ?? "") === "")
  )
]

/**
 * Explains why a text with a variable cannot be sent.
 *
 * @category formatting
 */
export const missingVariable = (name: string): string =>
  isVariable(name)
    ? `{${name}} has no value for this guest. Remove it from the text.`
    : `{${name}} is not a variable. Use ${
      templateVariables.map((known) => `{${known}}`).join(", ")
    }, or remove the braces.`

const isVariable = (name: string): name is Variable => (templateVariables as ReadonlyArray<string>).includes(name)

/**
 * The first name for a greeting such as "Hi {first_name}": where none was given, "there".
 *
 * @category converting
 */
export const firstName = (name: string): string => withoutLinks(name.trim().split(/\s+/u)[0] ?? "") || "there"
