import * as Effect from "effect/Effect"
import { invalid, type Refusal } from "../Refusal.ts"

/** Refuses a request with none or several of these fields. */
export const exactlyOne = <Given extends object>(
  given: Given,
  names: ReadonlyArray<string & keyof Given>,
  /** The path of the fields, such as `target.`. */
  within = ""
): Effect.Effect<void, Refusal<"invalid_request">> => {
  const there = names.filter((name) => given[name] !== undefined)
  return there.length === 1
    ? Effect.void
    : invalid(
      `${within}${there[1] ?? names[0]}: give exactly one of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
    )
}
