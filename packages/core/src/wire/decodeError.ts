import * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { invalid, type Refusal, truncateText } from "../Refusal.ts"

/**
 * Converts a request parsing error to a refusal. The message is the field's path, followed by the requirement for the
 * field.
 */
export const toInvalidRequest = (error: ParseResult.ParseError): Refusal<"invalid_request"> => {
  const { actual } = error.issue
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) {
    return invalid("The request must be an object with the operation's fields.")
  }
  const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
  if (issue === undefined) return invalid("The request is invalid.")
  const where = truncateText(issue.path.map(String).join("."))
  switch (issue._tag) {
    case "Missing":
      return invalid(`${where}: is required`)
    case "Unexpected":
      return invalid(
        `${where}: ${
          formatUnknownFieldMessage("ast" in error.issue ? fieldsAt(error.issue.ast, issue.path.slice(0, -1)) : [])
        }`
      )
    default:
      return invalid(where === "" ? `The request ${issue.message}.` : `${where}: ${issue.message}`)
  }
}

/** Returns the message for an unknown field. It lists the known fields, so that a typo is easy to spot. */
export const formatUnknownFieldMessage = (knownFields: ReadonlyArray<string>): string =>
  `is not a field of this request. ${
    knownFields.length === 0 ? "The request has no fields." : `Known fields: ${knownFields.join(", ")}.`
  }`

/** Returns the field names in the object at a path. Numbers in the path are list indexes. */
const fieldsAt = (ast: AST.AST, path: ReadonlyArray<PropertyKey>): ReadonlyArray<string> => {
  if (AST.isRefinement(ast)) return fieldsAt(ast.from, path)
  const [name, ...rest] = path
  if (AST.isTupleType(ast)) return ast.rest.flatMap(({ type }) => fieldsAt(type, rest))
  if (!AST.isTypeLiteral(ast)) return []
  if (name === undefined) return ast.propertySignatures.map(({ name }) => String(name))
  const matches = ast.propertySignatures.filter((field) => field.name === name)
  return (matches.length > 0 ? matches : ast.indexSignatures).flatMap(({ type }) => fieldsAt(type, rest))
}
