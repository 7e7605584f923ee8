/**
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category models
 */
export interface Guest {
  readonly name: string
  readonly email: string
  readonly phone: string
}

/**
 * Ten guests. Their addresses lead to no mailbox and their numbers ring nowhere:
 * both are of ranges that are kept for examples.
 *
 * @since 0.1.0
 * @category story
 */
export const guests: ReadonlyArray<Guest> = [
  "Maya Okafor",
  "Jonas Lindqvist",
  "Priya Raman",
  "Dale Whitcomb",
  "Hannah Kessler",
  "Luis Ortega",
  "Sofia Marchetti",
  "Ben Tsosie",
  "Aiko Tanabe",
  "Grace Holloway"
].map((name, at) => ({
  name,
  email: `${name.toLowerCase().replace(" ", ".")}@example.com`,
  phone: `+1 719 555 01${10 + at}`
}))
