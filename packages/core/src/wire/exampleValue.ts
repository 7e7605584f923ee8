import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/**
 * Builds an example response from its fields' examples. Optional fields are omitted unless they have an example. Lists
 * have one item.
 */
export const makeExampleValue = ({ ast }: Schema.Schema.AnyNoContext): unknown => makeExample(ast, "")

const makeExample = (ast: AST.AST, path: string): unknown => {
  const ownExamples = Option.getOrUndefined(AST.getExamplesAnnotation(ast))
  if (ownExamples !== undefined) return ownExamples[0]
  switch (ast._tag) {
    case "TypeLiteral":
      return Object.fromEntries(
        ast.propertySignatures
          .filter(({ isOptional, type }) => !isOptional || Option.isSome(AST.getExamplesAnnotation(type)))
          .map(({ name, type }) => [name, makeExample(type, `${path}.${String(name)}`)])
      )
    case "TupleType":
      return ast.rest.slice(0, 1).map(({ type }) => makeExample(type, `${path}[]`))
    case "Union":
      return ast.types.some(isNull) ? null : makeExample(ast.types[0], path)
    case "Literal":
      return ast.literal
    case "BooleanKeyword":
      return true
    case "Refinement":
      return makeExample(ast.from, path)
    default:
      throw new Error(`${path} needs an example`)
  }
}

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null
