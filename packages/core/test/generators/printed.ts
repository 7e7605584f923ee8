import * as FastCheck from "effect/FastCheck"

/** Prints a counterexample as JSON, without its zone's functions. */
export const printAsJson = <A extends object>(value: A): A => ({
  ...value,
  [FastCheck.toStringMethod]: () => JSON.stringify(value, (_, inner) => inner instanceof Map ? [...inner] : inner)
})
