/**
 * A saved reply with its variables filled in.
 */

/**
 * What a saved reply may name.
 *
 * @category models
 */
export const variables = [
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
export type Variable = (typeof variables)[number]

/**
 * The values of variables: one that is left out has none, and its word stays for
 * somebody to fill in.
 *
 * @category models
 */
export type Values = { readonly [Name in Variable]?: string }

/**
 * The text with each variable replaced by its value, in one go: a value that looks
 * like a variable stays as it is. A word in braces that is no variable stays, too.
 *
 * @category converting
 */
export const fillIn = (body: string, values: Values): string =>
  body.replace(/\{([a-z_]+)\}/g, (whole, name: string) => isVariable(name) ? values[name] ?? whole : whole)

const isVariable = (name: string): name is Variable => (variables as ReadonlyArray<string>).includes(name)

/**
 * The first name for a greeting such as "Hi {first_name}": where none was given, "there".
 *
 * @category converting
 */
export const firstName = (name: string): string => name.trim().split(/\s+/u)[0] || "there"
