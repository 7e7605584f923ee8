/** Throws when a number of tries is none: a law that is tried on nothing holds. */
export const atLeastOne = (name: string, given: number): void => {
  if (!Number.isInteger(given) || given < 1) throw new Error(`${name} must be a whole number of at least 1.`)
}
