/**
 * @since 0.1.0
 */
import * as ParseResult from "effect/ParseResult"
import { invalid, type Refusal } from "../Refusal.ts"

/**
 * Turns a failed reading of a request into its refusal: the path of the field,
 * then what it must be.
 *
 * @since 0.1.0
 * @category converting
 */
export const refused = (error: ParseResult.ParseError): Refusal<"invalid_request"> => {
  const { actual } = error.issue
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) {
    return invalid("The request must be an object with the fields of the operation.")
  }
  const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
  if (issue === undefined) return invalid("The request is wrong.")
  const where = issue.path.map(String).join(".")
  switch (issue._tag) {
    case "Missing":
      return invalid(`${where}: is required`)
    case "Unexpected":
      return invalid(`${where}: is not a field of this request`)
    default:
      return invalid(where === "" ? `The request ${issue.message}.` : `${where}: ${issue.message}`)
  }
}
