/** Finds local values, parameters, and functions whose name is a participle instead of a noun. */
import { parseSync, Visitor } from "oxc-parser"

/** Names that describe a past action instead of the value. */
const participles = new Set([
  "asked",
  "gone",
  "given",
  "kept",
  "known",
  "made",
  "named",
  "refused",
  "said",
  "seen",
  "shown",
  "taken",
  "told",
  "typed",
  "wanted"
])

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value

/** Returns the names that a pattern declares. Skips shorthand properties, which keep the property's name. */
const declaredNames = (pattern: unknown): ReadonlyArray<string> => {
  if (!isNode(pattern)) return []
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern["name"])]
    case "ObjectPattern":
    case "ArrayPattern":
      return [pattern["properties"] ?? pattern["elements"]].flat().flatMap(declaredNames)
    case "Property":
      return pattern["shorthand"] === true ? [] : declaredNames(pattern["value"])
    case "AssignmentPattern":
      return declaredNames(pattern["left"])
    case "RestElement":
      return declaredNames(pattern["argument"])
    case "TSParameterProperty":
      return declaredNames(pattern["parameter"])
    default:
      return []
  }
}

/** Returns the participles that a source file declares as local names. */
export const participleNames = (path: string, text: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  const parameters = ({ params }: { readonly params: ReadonlyArray<unknown> }) =>
    void names.push(...params.flatMap(declaredNames))
  new Visitor({
    VariableDeclarator: ({ id }) => void names.push(...declaredNames(id)),
    FunctionDeclaration: (node) => {
      names.push(...declaredNames(node.id))
      parameters(node)
    },
    FunctionExpression: parameters,
    ArrowFunctionExpression: parameters
  }).visit(parseSync(path, text).program)
  return names.filter((name) => participles.has(name))
}
