import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/**
 * Reads the input of an operation; a field that it does not know is wrong.
 *
 * Nearly all requests are right, and what a decoder keeps in order to tell what is
 * wrong costs several times as much as looking. So the fields are first asked one
 * by one, and the decoder is when one of them says no: it has the last word, and
 * all the words.
 */
export const makeDecodeInput = (
  input: Schema.Schema.AnyNoContext
): (given: unknown) => Either.Either<unknown, ParseResult.ParseIssue> => {
  const decode = ParseResult.decodeUnknownEither(input, { onExcessProperty: "error" })
  const look = lookAt(input.ast)
  return look === undefined ? decode : (given) => {
    const seen = look(given)
    return seen === wrong ? decode(given) : Either.right(seen)
  }
}

/** Undefined for what cannot be looked at without the decoder. */
type Look = (given: unknown) => unknown

const wrong = Symbol("wrong")

const lookAt = (ast: AST.AST): Look | undefined =>
  AST.isDeclaration(ast) ? lookAtField(ast) : AST.isTypeLiteral(ast) ? lookAtObject(ast) : undefined

/** Every field is one leaf that reads its value whole. */
const lookAtField = (ast: AST.Declaration): Look | undefined => {
  if (ast.typeParameters.length > 0) return undefined
  const read = ast.decodeUnknown()
  return (given) => {
    const answer = read(given, {}, ast)
    return Either.isEither(answer) && Either.isRight(answer) ? answer.right : wrong
  }
}

const lookAtObject = ({ indexSignatures, propertySignatures }: AST.TypeLiteral): Look | undefined => {
  if (indexSignatures.length > 0) return undefined
  const fields: Array<{ readonly name: string; readonly isOptional: boolean; readonly look: Look }> = []
  for (const { isOptional, name, type } of propertySignatures) {
    const look = lookAt(type)
    if (look === undefined || typeof name !== "string") return undefined
    fields.push({ name, isOptional, look })
  }
  return (given) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return wrong
    let known = 0
    const seen: Record<string, unknown> = {}
    for (const { isOptional, look, name } of fields) {
      if (Object.hasOwn(given, name)) {
        const value = look(given[name as keyof typeof given])
        if (value === wrong) return wrong
        seen[name] = value
        known++
      } else if (!isOptional) return wrong
    }
    return Reflect.ownKeys(given).length === known ? seen : wrong
  }
}
