/** Throws if the number of runs is less than 1, because a law without cases always passes. */
export const assertAtLeastOne = (name: string, count: number): void => {
  if (!Number.isInteger(count) || count < 1) throw new Error(`${name} must be a whole number of at least 1.`)
}
