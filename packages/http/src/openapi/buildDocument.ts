/**
 * Builds the OpenAPI 3.1 document. The document is generated from the same declarations that serve requests, so it
 * always matches the server.
 *
 * `HttpApi` does not support headers, examples, or shared responses, and takes hundreds of milliseconds to load. A test
 * compares the document with `httpApi`.
 */
import { eventDefinitions, EventView } from "@trailbook/core/event"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Event } from "@trailbook/core/port"
import { webhookTestEvent } from "@trailbook/core/webhook"
import * as Schema from "effect/Schema"
import type { AnyRoute } from "../Route.ts"
import { buildOperationEntry, buildRouteEntry } from "./buildOperationEntry.ts"
import { errorSchema, headerComponents, makeJsonContent, sharedResponses } from "./responses.ts"
import { SchemaCollector } from "./SchemaCollector.ts"

export const buildDocument = (
  operations: ReadonlyArray<Operation.Any>,
  options: {
    /** The path prefix shared by all operations. */
    readonly base: string
    readonly publicUrl?: string | undefined
    /** Routes to include in addition to the operations. */
    readonly routes?: ReadonlyArray<AnyRoute>
  }
): OpenApiDocument => {
  const schemas = new SchemaCollector()
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}")
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: buildOperationEntry(operation, schemas) }
  }
  const root = options.publicUrl ?? ""
  for (const route of options.routes ?? []) {
    if (route.description === undefined) continue
    const hasBasePrefix = route.path.startsWith(`${options.base}/`)
    const path = (hasBasePrefix ? route.path.slice(options.base.length) : route.path).replace(/:(\w+)/g, "{$1}")
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: {
        ...buildRouteEntry(route, route.description, schemas),
        // Paths outside the shared prefix are relative to the root.
        ...(hasBasePrefix ? {} : { servers: [{ url: root === "" ? "/" : root }] })
      }
    }
  }
  const tags = new Set([
    ...operations.map(toTag),
    ...(options.routes ?? []).flatMap(({ description: described }) => described?.tag ?? [])
  ])
  const webhookItems = webhooks(schemas)
  return {
    openapi: "3.1.0",
    info: {
      title: "Trailbook",
      version: "1",
      summary: "Bookings for outdoor outfitters.",
      description: conventions,
      contact: { name: "Trailbook", url: "https://github.com/trailbook/trailbook" },
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: `${root}${options.base}` }],
    security: [{ bearer: [] }],
    tags: [...tags].map((name) => ({ name, description: tagDescriptions[name] ?? `Operations on ${name}.` })),
    paths,
    webhooks: webhookItems,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key for the outfitter." } },
      headers: headerComponents,
      responses: sharedResponses,
      schemas: { ...schemas.named, Error: errorSchema }
    }
  }
}

/** The parts of the document that our own code reads. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0"
  readonly info: { readonly title: string; readonly version: string; readonly [field: string]: unknown }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly webhooks: Readonly<Record<string, object>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

const toTag = ({ name }: Operation.Any): string => name.slice(0, name.indexOf("."))

const tagDescriptions: Readonly<Record<string, string>> = {
  offerings: "Bookable offerings: classes, appointments, and rentals.",
  availability: "An offering's bookable times and their remaining capacity.",
  sessions: "Scheduled class sessions.",
  bookings: "Bookings and holds.",
  customers: "The outfitter's guests.",
  conversations: "Conversations between guests and the outfitter, one per guest.",
  messages: "Messages and internal notes.",
  saved_replies: "Reusable message texts.",
  attachments: "Message attachments: pictures and documents.",
  org: "The outfitter's settings and data.",
  events: "All events, in order.",
  billing: "The plan and its usage.",
  webhooks: "Endpoints that receive events, and their settings."
}

const conventions =
  `Requests and responses are JSON. Lists are \`{data: [...]}\`, with \`next_cursor\` if there are more rows. Instants \
are ISO 8601 in UTC. Local dates and wall times are in the org's time zone. Amounts are whole cents of the org's currency. IDs are \
UUIDs.

Every request must have the header \`Authorization: Bearer <key>\`. Every response has the header \`X-Request-Id\`, with the caller's ID if the request contains a valid one.

Errors are \`{error: {code, message}}\`. For 400, correct the request. For 404, check the ID. For 409, choose another option. For 429, \
wait. For 5xx, retry the identical request with the same idempotency key.

New fields, event types, and codes can be added, so ignore unknown ones.`

/** Describes the requests that webhook endpoints receive, by event type. */
const webhooks = (schemas: SchemaCollector): Readonly<Record<string, object>> =>
  Object.fromEntries(
    [...eventDefinitions, webhookTestEvent].map((event) => [event.type, { post: delivery(event, schemas) }])
  )

const delivery = ({ extraData: extra, data, type, when }: Event.Any, schemas: SchemaCollector) => ({
  operationId: type,
  tags: ["webhooks"],
  summary: when,
  description: `\`data\` is the resource after the change${extra === undefined ? "" : `, with ${extra}`}. ` +
    "An event can be delivered more than once, always with the same `id`.",
  // No key is needed, because the sender signs the request with the endpoint's secret.
  security: [],
  parameters: [{
    name: "Service-Signature",
    in: "header",
    required: true,
    description: "The timestamp and the signature computed with the endpoint's secret: `t=<unix seconds>,v1=<hex>`.",
    schema: { type: "string" }
  }],
  requestBody: {
    required: true,
    content: makeJsonContent(schemas.answer(Schema.Struct({ ...EventView.fields, type: Schema.Literal(type), data })))
  },
  responses: {
    "2XX": { description: "Accepted. Any other response triggers a retry." },
    "4XX": { description: "The signature is invalid." }
  }
})
