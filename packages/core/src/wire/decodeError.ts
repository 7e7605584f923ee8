import * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { invalid, type Refusal, shownText } from "../Refusal.ts"

/**
 * Turns a failed reading of a request into its refusal: the path of the field,
 * then what it must be.
 *
 * @category converting
 */
export const toInvalidRequest = (error: ParseResult.ParseError): Refusal<"invalid_request"> => {
  const { actual } = error.issue
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) {
    return invalid("The request must be an object with the fields of the operation.")
  }
  const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
  if (issue === undefined) return invalid("The request is wrong.")
  const where = shownText(issue.path.map(String).join("."))
  switch (issue._tag) {
    case "Missing":
      return invalid(`${where}: is required`)
    case "Unexpected":
      return invalid(
        `${where}: ${
          unknownFieldMessage("ast" in error.issue ? fieldsAt(error.issue.ast, issue.path.slice(0, -1)) : [])
        }`
      )
    default:
      return invalid(where === "" ? `The request ${issue.message}.` : `${where}: ${issue.message}`)
  }
}

/**
 * The sentence about an unknown field: who mistyped one finds the right one in it.
 *
 * @category formatting
 */
export const unknownFieldMessage = (known: ReadonlyArray<string>): string =>
  `is not a field of this request; ${known.length === 0 ? "it has none" : `known: ${known.join(", ")}`}`

/** The names of the fields of the object at a path: numbers are places in lists. */
const fieldsAt = (ast: AST.AST, path: ReadonlyArray<PropertyKey>): ReadonlyArray<string> => {
  if (AST.isRefinement(ast)) return fieldsAt(ast.from, path)
  const [name, ...rest] = path
  if (AST.isTupleType(ast)) return ast.rest.flatMap(({ type }) => fieldsAt(type, rest))
  if (!AST.isTypeLiteral(ast)) return []
  if (name === undefined) return ast.propertySignatures.map(({ name }) => String(name))
  const named = ast.propertySignatures.filter((field) => field.name === name)
  return (named.length > 0 ? named : ast.indexSignatures).flatMap(({ type }) => fieldsAt(type, rest))
}
