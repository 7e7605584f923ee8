import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import { hasProperty } from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { invalid, type Refusal } from "../Refusal.ts"

/**
 * Decodes an operation's input. Unknown fields are errors.
 *
 * Nearly all requests are valid, but a decoder's bookkeeping for error messages costs several times as much as the
 * check itself. The fields are therefore first read one by one without this bookkeeping. If any field is invalid, the
 * full decoder runs and produces the error.
 */
export const makeDecodeInput = (
  input: Schema.Schema.AnyNoContext
): (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue> => {
  const decode = ParseResult.decodeUnknownEither(input, { onExcessProperty: "error" })
  const look = lookAt(input.ast)
  return look === undefined ? decode : (value) => {
    const result = look(value)
    return result === wrong ? decode(value) : Either.right(result)
  }
}

/** Reads a value without producing error messages. `lookAt` returns undefined if the schema needs the full decoder. */
type InputCheck = (value: unknown) => unknown

const wrong = Symbol("wrong")

const lookAt = (ast: AST.AST): InputCheck | undefined => {
  if (AST.isDeclaration(ast)) return lookAtField(ast)
  if (AST.isTypeLiteral(ast)) return lookAtObject(ast)
  return AST.isTupleType(ast) ? lookAtList(ast) : AST.isRefinement(ast) ? lookAtRefined(ast) : undefined
}

/** No field has a generic type, so each field's own decoder reads the entire value. */
const lookAtField = (ast: AST.Declaration): InputCheck | undefined => {
  if (ast.typeParameters.length > 0) return undefined
  const decode = ast.decodeUnknown()
  return (value) => {
    const answer = decode(value, {}, ast)
    return Either.isEither(answer) && Either.isRight(answer) ? answer.right : wrong
  }
}

const lookAtList = ({ elements, rest: [item, ...others] }: AST.TupleType): InputCheck | undefined => {
  const look = elements.length > 0 || item === undefined || others.length > 0 ? undefined : lookAt(item.type)
  return look === undefined ? undefined : (list) => {
    if (!Array.isArray(list)) return wrong
    const results: Array<unknown> = []
    for (const one of list) {
      const value = look(one)
      if (value === wrong) return wrong
      results.push(value)
    }
    return results
  }
}

/** Applies a refinement, such as the length limit of a list. */
const lookAtRefined = (ast: AST.Refinement): InputCheck | undefined => {
  const look = lookAt(ast.from)
  return look === undefined ? undefined : (value) => {
    const result = look(value)
    return result === wrong || Option.isSome(ast.filter(result, {}, ast)) ? wrong : result
  }
}

const lookAtObject = ({ indexSignatures, propertySignatures }: AST.TypeLiteral): InputCheck | undefined => {
  if (indexSignatures.length > 0) return undefined
  const fields: Array<{ readonly name: string; readonly isOptional: boolean; readonly look: InputCheck }> = []
  for (const { isOptional, name, type } of propertySignatures) {
    const look = lookAt(type)
    if (look === undefined || typeof name !== "string") return undefined
    fields.push({ name, isOptional, look })
  }
  return (record) => {
    if (typeof record !== "object" || record === null || Array.isArray(record)) return wrong
    let fieldCount = 0
    const result: Record<string, unknown> = {}
    for (const { isOptional, look, name } of fields) {
      if (Object.hasOwn(record, name)) {
        const value = look(record[name as keyof typeof record])
        if (value === wrong) return wrong
        result[name] = value
        fieldCount++
      } else if (!isOptional) return wrong
    }
    return Reflect.ownKeys(record).length === fieldCount ? result : wrong
  }
}

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
