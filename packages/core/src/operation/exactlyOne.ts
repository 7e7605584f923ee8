import { hasProperty } from "effect/Predicate"
import { invalid, type Refusal } from "../Refusal.ts"

/** Returns the refusal for a request that does not contain exactly one of these fields. */
export const exactlyOne = (
  input: unknown,
  names: ReadonlyArray<string>,
  /** The prefix for the fields' paths, such as `target.`. */
  within = ""
): Refusal<"invalid_request"> | undefined => {
  const presentNames = names.filter((name) => hasProperty(input, name) && input[name] !== undefined)
  return presentNames.length === 1 ? undefined : invalid(
    `${within}${presentNames[1] ?? names[0]}: set exactly one of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
  )
}
