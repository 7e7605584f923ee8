import * as FastCheck from "effect/FastCheck"

/** The same value; a counterexample prints it as JSON, without the functions of its zone. */
export const printed = <A extends object>(value: A): A => ({
  ...value,
  [FastCheck.toStringMethod]: () => JSON.stringify(value, (_, inner) => inner instanceof Map ? [...inner] : inner)
})
