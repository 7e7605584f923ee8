import type { Operation } from "@trailbook/core/operation/Operation"
import { hasBody, listPathFields } from "../request/InputReader.ts"
import type { AnyRoute, RouteDescription } from "../Route.ts"
import { buildResponses, makeJsonContent } from "./responses.ts"
import type { RequestSchema, SchemaCollector } from "./SchemaCollector.ts"

/** Builds the OpenAPI entry for an operation. */
export const buildOperationEntry = (operation: Operation.Any, schemas: SchemaCollector): object => {
  const { description, name, output, refusals, scope, status, summary } = operation
  const { body, parameters } = placeFields(operation, schemas)
  return {
    operationId: name,
    tags: [name.slice(0, name.indexOf("."))],
    summary,
    description: `${description} Requires an API key with the \`${scope}\` scope.`,
    parameters,
    ...(body === undefined ? {} : { requestBody: body }),
    responses: buildResponses({
      status,
      content: schemas.content(output),
      extraCodes: refusals,
      takesBody: hasBody(operation)
    })
  }
}

interface FieldLocations {
  readonly parameters: ReadonlyArray<object>
  readonly body: object | undefined
}

/** Determines where each field is sent: in the path, in the body, or, if the method has no body, in the query. */
const placeFields = (operation: Operation.Any, schemas: SchemaCollector): FieldLocations => {
  const pathNames = listPathFields(operation)
  const { properties, required } = toRequestSchema(operation, schemas)
  const otherNames = Object.keys(properties).filter((name) => !pathNames.includes(name))
  const toParameter = (location: "path" | "query") => (name: string) => {
    // Tools expect a parameter's description on the parameter rather than on its schema.
    const { description, ...schema }: { readonly description?: string } = properties[name] ?? {}
    return { name, in: location, required: required.includes(name), description, schema }
  }
  const path = pathNames.map(toParameter("path"))
  if (!hasBody(operation)) return { parameters: [...path, ...otherNames.map(toParameter("query"))], body: undefined }

  const requiredInBody = required.filter((name) => otherNames.includes(name))
  return {
    parameters: [...path, ...toIdempotencyHeader(operation, properties)],
    body: otherNames.length === 0 ? undefined : {
      // If the operation requires exactly one of two fields, the body is required, even though neither field is
      // required on its own.
      required: requiredInBody.length > 0 || operation.exactlyOne.length > 0,
      content: makeJsonContent({
        type: "object",
        ...(requiredInBody.length === 0 ? {} : { required: requiredInBody }),
        properties: Object.fromEntries(otherNames.map((name) => [name, properties[name]])),
        additionalProperties: false,
        ...toOneOf(operation)
      })
    }
  }
}

const toOneOf = ({ exactlyOne }: Operation.Any) =>
  exactlyOne.length === 0
    ? {}
    : { allOf: exactlyOne.map((group) => ({ oneOf: group.map((name) => ({ required: [name] })) })) }

const toRequestSchema = ({ input }: Operation.Any, schemas: SchemaCollector): RequestSchema =>
  // Effect describes a struct without fields as any object or array.
  Object.keys(input.fields).length === 0
    ? { properties: {}, required: [] }
    : schemas.request(input)

const toIdempotencyHeader = ({ hints }: Operation.Any, properties: RequestSchema["properties"]) =>
  hints.idempotencyKey === undefined ? [] : [{
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: `An alternative to the \`${hints.idempotencyKey}\` field in the body.`,
    schema: properties[hints.idempotencyKey]
  }]

/** Builds the OpenAPI entry for a route. */
export const buildRouteEntry = (
  { body, caller, name, path }: AnyRoute,
  { content, description, refusals, status, summary, tag }: RouteDescription,
  schemas: SchemaCollector
): object => ({
  operationId: name,
  tags: [tag],
  summary,
  description,
  ...(caller === "anyone" ? { security: [] } : {}),
  parameters: Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
    name,
    in: "path",
    required: true,
    description: "its id",
    schema: { type: "string", format: "uuid" }
  })),
  ...(body.described === undefined ? {} : { requestBody: body.described }),
  responses: buildResponses({
    status,
    content: content(schemas),
    extraCodes: refusals,
    takesBody: body.described !== undefined
  })
})
