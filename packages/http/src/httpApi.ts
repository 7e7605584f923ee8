/**
 * Describes the API as an `HttpApi` from `@effect/platform`, for typed clients and API descriptions. The server itself
 * uses `handler`, because `HttpApiBuilder` takes six times as long per request. A test checks that the `HttpApi` and
 * the handler agree.
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import { operations } from "@trailbook/core/layer"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Field from "@trailbook/core/wire/Field"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { hasBody, listPathFields } from "./request/InputReader.ts"

/** Adds API keys to the API description. The handler performs the actual check. */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("@trailbook/http/Authorization", {
  security: { bearer: HttpApiSecurity.bearer }
}) {}

/** The body of every error. The tag exists only in the client. */
export const ErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String })
}).annotations({ identifier: "Error" }).pipe(Schema.attachPropertySignature("_tag", "ApiError"))

type Api<Op extends Operation.Any> = HttpApi.HttpApi<
  "trailbook",
  Groups<Op, ResourceOf<Op["name"]>>,
  HttpApiDecodeError | typeof ErrorBody.Type,
  Authorization
>

// The groups are built in a loop, so the compiler cannot infer their types.
type AnyGroup = HttpApiGroup.HttpApiGroup.AnyWithProps

type ResourceOf<Name extends string> = Name extends `${infer Resource}.${string}` ? Resource : never

type Groups<Op extends Operation.Any, Resource extends string> = Resource extends string ?
  HttpApiGroup.HttpApiGroup<Resource, Endpoint<Extract<Op, { readonly name: `${Resource}.${string}` }>>, never>
  : never

type Endpoint<Op extends Operation.Any> = Op extends Operation.Any ? HttpApiEndpoint.HttpApiEndpoint<
    Op["name"] extends `${string}.${infer Action}` ? Action : never,
    Op["method"],
    OrNever<Pick<Wire<Op>, PathField<Op["path"]> & keyof Wire<Op>>>,
    Op["method"] extends "GET" | "DELETE" ? OrNever<Omit<Wire<Op>, PathField<Op["path"]>>> : never,
    Op["method"] extends "GET" | "DELETE" ? never : OrNever<Omit<Wire<Op>, PathField<Op["path"]>>>,
    never,
    Operation.Output<Op>
  >
  : never

type Wire<Op extends Operation.Any> = Schema.Schema.Encoded<Op["input"]>

type OrNever<Fields> = keyof Fields extends never ? never : Fields

type PathField<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}` ? Name | PathField<Rest>
  : Path extends `${string}:${infer Name}` ? Name
  : never

const buildApi = <Op extends Operation.Any>(operations: ReadonlyArray<Op>): Api<Op> => {
  const groups = new Map<string, AnyGroup>()
  for (const operation of operations) {
    const [resource = "", action = ""] = operation.name.split(".")
    const group = groups.get(resource) ?? HttpApiGroup.make(resource)
    groups.set(resource, group.add(toEndpoint(action, operation)) as AnyGroup)
  }
  let api: HttpApi.HttpApi.AnyWithProps = HttpApi.make("trailbook")
    .annotate(OpenApi.Title, "Trailbook")
    .annotate(OpenApi.Version, "1")
  for (const group of groups.values()) api = api.add(group)
  for (const status of statuses) api = api.addError(ErrorBody, { status })
  return api.middleware(Authorization) as unknown as Api<Op>
}

const statuses = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503]

const toEndpoint = (action: string, operation: Operation.Any): HttpApiEndpoint.HttpApiEndpoint.Any => {
  const { description, input, method, output, path, status, summary } = operation
  const pathNames = listPathFields(operation)
  const otherNames = Object.keys(input.fields).filter((name) => !pathNames.includes(name))
  const base = HttpApiEndpoint.make(method)(action, `/v1${path}`)
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, description)
    .addSuccess(output, { status })
  const endpoint = pathNames.length === 0 ? base : base.setPath(toTextSchema(input, pathNames))
  if (otherNames.length === 0) return endpoint
  return hasBody(operation)
    ? endpoint.setPayload(Schema.Struct(wireFields(input, otherNames, false)))
    : endpoint.setUrlParams(toTextSchema(input, otherNames))
}

/**
 * Returns a schema for text fields. The fields are built by name, so the compiler cannot check that each field encodes
 * to text.
 */
const toTextSchema = (input: Operation.Any["input"], names: ReadonlyArray<string>) =>
  Schema.Struct(wireFields(input, names, true)) as Schema.Schema<
    Readonly<Record<string, unknown>>,
    Readonly<Record<string, string>>
  >

type WireFields = Record<
  string,
  Schema.Schema.AnyNoContext | Schema.optionalWith<Schema.Schema.AnyNoContext, { readonly exact: true }>
>

/**
 * Converts fields for clients, so that each one encodes to the same JSON that it decodes, and has the same JSON Schema.
 * Fields in core only decode JSON into domain values. Use `asText` for paths and queries, which contain only text.
 */
const wireFields = (
  input: Schema.Schema.AnyNoContext,
  names: ReadonlyArray<string>,
  asText: boolean
): WireFields =>
  Object.fromEntries(
    getProperties(input.ast).filter(({ name }) => names.includes(String(name))).map(({ isOptional, name, type }) => {
      const schema = toWireSchema(type, asText)
      return [name, isOptional ? Schema.optionalWith(schema, { exact: true }) : schema]
    })
  )

const getProperties = (ast: AST.AST): ReadonlyArray<AST.PropertySignature> =>
  AST.isTypeLiteral(ast) ? ast.propertySignatures : []

const toWireSchema = (ast: AST.AST, asText: boolean): Schema.Schema.AnyNoContext => {
  const schema = toSchema(ast, asText)
  const description = Field.getDescription(Schema.make(ast))
  // A leaf's JSON Schema already contains its description.
  return description === undefined || AST.isDeclaration(ast) ? schema : Field.withDescription(description, schema)
}

const toSchema = (ast: AST.AST, asText: boolean): Schema.Schema.AnyNoContext => {
  if (AST.isRefinement(ast)) return toWireSchema(ast.from, asText)
  if (AST.isTupleType(ast)) return Schema.Array(Schema.Union(...ast.rest.map(({ type }) => toWireSchema(type, asText))))
  if (AST.isUnion(ast)) return Schema.Union(...ast.types.map((type) => toWireSchema(type, asText)))
  if (AST.isLiteral(ast)) return Schema.make(ast)
  if (AST.isTypeLiteral(ast)) {
    return Schema.Struct(wireFields(Schema.make(ast), ast.propertySignatures.map(({ name }) => String(name)), asText))
  }
  return toLeafSchema(Field.toJsonSchema(Schema.make(ast)), asText)
}

type JsonSchema = ReturnType<typeof Field.toJsonSchema>

const toLeafSchema = (jsonSchema: JsonSchema, asText: boolean): Schema.Schema.AnyNoContext => {
  const [type, ...otherTypes] = [jsonSchema.type].flat()
  const schema = toValueSchema(String(type), jsonSchema, asText)
  return (otherTypes.includes("null") ? Schema.NullOr(schema) : schema).annotations({ jsonSchema })
}

const toValueSchema = (type: string, { enum: values }: JsonSchema, asText: boolean): Schema.Schema.AnyNoContext => {
  const texts = values?.filter((value) => typeof value === "string")
  switch (type) {
    case "integer":
    case "number":
      return asText ? Schema.NumberFromString : Schema.Number
    case "boolean":
      return asText ? Schema.BooleanFromString : Schema.Boolean
    case "object":
      return Schema.Record({ key: Schema.String, value: Schema.Unknown })
    default:
      return texts === undefined ? Schema.String : Schema.Literal(...texts)
  }
}

/**
 * The API, with a group for each resource and an endpoint for each operation. An operation's name consists of its
 * resource and its endpoint. Inputs and outputs are in wire format.
 *
 * @example
 * import { TrailbookApi } from "@trailbook/http/httpApi"
 * import * as HttpApiClient from "@effect/platform/HttpApiClient"
 * import * as Effect from "effect/Effect"
 *
 * const trips = Effect.gen(function*() {
 *   const { offerings } = yield* HttpApiClient.make(TrailbookApi, { baseUrl: "http://localhost:3000" })
 *   return yield* offerings.list({ urlParams: { limit: 10 } })
 * })
 */
export const TrailbookApi: Api<(typeof operations)[number]> = buildApi(operations)
