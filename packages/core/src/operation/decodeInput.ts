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
  const check = makeCheck(input.ast)
  return check === undefined ? decode : (value) => {
    const result = check(value)
    return result === invalidValue ? decode(value) : Either.right(result)
  }
}

/**
 * Reads a value without producing error messages. `makeCheck` returns undefined if the schema needs the full decoder.
 */
type InputCheck = (value: unknown) => unknown

const invalidValue = Symbol("invalidValue")

const makeCheck = (ast: AST.AST): InputCheck | undefined => {
  if (AST.isDeclaration(ast)) return makeFieldCheck(ast)
  if (AST.isTypeLiteral(ast)) return makeObjectCheck(ast)
  return AST.isTupleType(ast) ? makeListCheck(ast) : AST.isRefinement(ast) ? makeRefinementCheck(ast) : undefined
}

/** No field has a generic type, so each field's own decoder reads the entire value. */
const makeFieldCheck = (ast: AST.Declaration): InputCheck | undefined => {
  if (ast.typeParameters.length > 0) return undefined
  const decode = ast.decodeUnknown()
  return (value) => {
    const result = decode(value, {}, ast)
    return Either.isEither(result) && Either.isRight(result) ? result.right : invalidValue
  }
}

const makeListCheck = ({ elements, rest: [item, ...others] }: AST.TupleType): InputCheck | undefined => {
  const check = elements.length > 0 || item === undefined || others.length > 0 ? undefined : makeCheck(item.type)
  return check === undefined ? undefined : (list) => {
    if (!Array.isArray(list)) return invalidValue
    const results: Array<unknown> = []
    for (const one of list) {
      const value = check(one)
      if (value === invalidValue) return invalidValue
      results.push(value)
    }
    return results
  }
}

/** Applies a refinement, such as the length limit of a list. */
const makeRefinementCheck = (ast: AST.Refinement): InputCheck | undefined => {
  const check = makeCheck(ast.from)
  return check === undefined ? undefined : (value) => {
    const result = check(value)
    return result === invalidValue || Option.isSome(ast.filter(result, {}, ast)) ? invalidValue : result
  }
}

const makeObjectCheck = ({ indexSignatures, propertySignatures }: AST.TypeLiteral): InputCheck | undefined => {
  if (indexSignatures.length > 0) return undefined
  const fields: Array<{ readonly name: string; readonly isOptional: boolean; readonly check: InputCheck }> = []
  for (const { isOptional, name, type } of propertySignatures) {
    const check = makeCheck(type)
    if (check === undefined || typeof name !== "string") return undefined
    fields.push({ name, isOptional, check })
  }
  return (record) => {
    if (typeof record !== "object" || record === null || Array.isArray(record)) return invalidValue
    let fieldCount = 0
    const result: Record<string, unknown> = {}
    for (const { check, isOptional, name } of fields) {
      if (Object.hasOwn(record, name)) {
        const value = check(record[name as keyof typeof record])
        if (value === invalidValue) return invalidValue
        result[name] = value
        fieldCount++
      } else if (!isOptional) return invalidValue
    }
    return Reflect.ownKeys(record).length === fieldCount ? result : invalidValue
  }
}

/** Returns the refusal for a request that does not contain exactly one of these fields. */
export const checkExactlyOneField = (
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
