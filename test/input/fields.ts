/**
 * Reads an operation's fields from its declaration: each field's location in the request and its JSON schema. New
 * fields are therefore tested automatically.
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"

export interface FieldSchema {
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

export interface DeclaredField {
  /** The path in the request, as error messages show it: `customer.email`, `hours.0.weekday`. */
  readonly path: ReadonlyArray<string>
  readonly in: "path" | "query" | "body"
  readonly required: boolean
  readonly schema: FieldSchema
}

const findSchema = (ast: AST.AST): FieldSchema | undefined => Option.getOrUndefined(AST.getJSONSchemaAnnotation(ast))

const walkFields = (
  ast: AST.AST,
  path: ReadonlyArray<string>,
  required: boolean
): ReadonlyArray<Omit<DeclaredField, "in">> => {
  const schema = findSchema(ast)
  if (schema !== undefined && Object.keys(schema).length > 0 && AST.isDeclaration(ast)) {
    return [{ path, required, schema }]
  }
  if (AST.isTransformation(ast) || AST.isRefinement(ast)) return walkFields(ast.from, path, required)
  if (AST.isUnion(ast)) {
    // A value or null.
    const value = ast.types.find((one) => !AST.isLiteral(one) || one.literal !== null)
    if (value !== undefined && ast.types.length === 2) {
      return walkFields(value, path, required).map((field) =>
        field.path.length > path.length
          ? field
          : { ...field, schema: { ...field.schema, type: [field.schema.type ?? [], "null"].flat() } }
      )
    }
  }
  if (AST.isTupleType(ast)) {
    return [
      { path, required, schema: { type: "list" } },
      ...ast.rest.flatMap(({ type }) => walkFields(type, [...path, "0"], required))
    ]
  }
  if (AST.isTypeLiteral(ast)) {
    const fields = ast.propertySignatures.flatMap(({ isOptional, name, type }) =>
      walkFields(type, [...path, String(name)], required && !isOptional)
    )
    return path.length === 0 ? fields : [{ path, required, schema: { type: "fields" } }, ...fields]
  }
  throw new Error(`A field of a kind that this test does not know: ${path.join(".")} is ${ast._tag}`)
}

export const fieldsOf = (operation: Operation.Any): ReadonlyArray<DeclaredField> => {
  const rest = operation.method === "GET" || operation.method === "DELETE" ? "query" : "body"
  return walkFields(operation.input.ast, [], true).map((field) => ({
    ...field,
    in: operation.path.split("/").includes(`:${field.path[0]}`) ? "path" : rest
  }))
}
