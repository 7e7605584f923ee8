import type { AnyRoute, RouteDescription } from "../Route.ts"
import { answerHeaders } from "./headers.ts"
import { refusalResponses } from "./responses.ts"
import type { Schemas } from "./schemas.ts"

/** Builds the OpenAPI entry for a route. */
export const routeEntry = (
  { body, caller, name, path }: AnyRoute,
  { content, description, refusals, status, summary, tag }: RouteDescription,
  schemas: Schemas
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
  responses: {
    [status]: {
      description: status === 201 ? "Created." : "Success.",
      headers: answerHeaders,
      content: content(schemas)
    },
    ...refusalResponses(refusals, body.described !== undefined)
  }
})
