/** Throws if the number of runs is less than 1, because a law without cases always passes. */
export const atLeastOne = (name: string, given: number): void => {
  if (!Number.isInteger(given) || given < 1) throw new Error(`${name} must be a whole number of at least 1.`)
}
