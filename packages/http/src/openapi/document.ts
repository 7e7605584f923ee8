/**
 * The machine-readable description: OpenAPI 3.1, read off the declarations that
 * answer the requests, so that it cannot say anything else than they do.
 *
 * It is not made by way of `HttpApi`: that has no place for headers, examples
 * and shared responses, and takes hundreds of milliseconds to load. `httpApi` is
 * there for who wants one, and a test holds the two against each other.
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import type { AnyRoute } from "../Route.ts"
import { entry } from "./entry.ts"
import { headers } from "./headers.ts"
import { errorSchema, sharedResponses } from "./responses.ts"
import { routeEntry } from "./routeEntry.ts"
import { Schemas } from "./schemas.ts"
import { webhooks } from "./webhooks.ts"

/**
 * @category converting
 */
export const document = (
  operations: ReadonlyArray<Operation.Any>,
  options: {
    /** The path that all operations begin with. */
    readonly base: string
    readonly publicUrl?: string | undefined
    /** What is asked beside the operations. */
    readonly routes?: ReadonlyArray<AnyRoute>
  }
): Document => {
  const schemas = new Schemas()
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}")
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: entry(operation, schemas) }
  }
  const root = options.publicUrl ?? ""
  for (const route of options.routes ?? []) {
    if (route.described === undefined) continue
    const isBelow = route.path.startsWith(`${options.base}/`)
    const path = (isBelow ? route.path.slice(options.base.length) : route.path).replace(/:(\w+)/g, "{$1}")
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: {
        ...routeEntry(route, route.described, schemas),
        // What does not begin as all operations do is found from the root.
        ...(isBelow ? {} : { servers: [{ url: root === "" ? "/" : root }] })
      }
    }
  }
  const tags = new Set([
    ...operations.map(tagOf),
    ...(options.routes ?? []).flatMap(({ described }) => described?.tag ?? [])
  ])
  const pushed = webhooks(schemas)
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
    webhooks: pushed,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key of the outfitter." } },
      headers,
      responses: sharedResponses,
      schemas: { ...schemas.named, Error: errorSchema }
    }
  }
}

/**
 * As much of its shape as programs here look at.
 *
 * @category models
 */
export interface Document {
  readonly openapi: "3.1.0"
  readonly info: { readonly title: string; readonly version: string; readonly [field: string]: unknown }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly webhooks: Readonly<Record<string, object>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

const tagOf = ({ name }: Operation.Any): string => name.slice(0, name.indexOf("."))

const tagDescriptions: Readonly<Record<string, string>> = {
  offerings: "What guests can book: classes, appointments and rentals.",
  availability: "When an offering can be booked, and what is left.",
  sessions: "The scheduled sessions of a class.",
  bookings: "Bookings and holds.",
  customers: "The guests of the outfitter.",
  conversations: "What guests and the outfitter say to each other, a thread for each guest.",
  messages: "What was said, and notes.",
  saved_replies: "Words that are said often.",
  attachments: "Files of messages: pictures and documents.",
  org: "The outfitter's own settings and data.",
  events: "Everything that happened, in order.",
  billing: "The plan and what was used of it.",
  webhooks: "Addresses that events are pushed to, and what they get."
}

const conventions =
  `Requests and answers are JSON. Lists are \`{data: [...]}\`, with \`next_cursor\` while there is more. Instants \
are ISO 8601 in UTC; local dates and wall times are in the org's time zone. Money is whole cents of the org's currency. Ids are \
UUIDs.

Every call carries \`Authorization: Bearer <key>\`. Every answer carries \`X-Request-Id\`, the caller's own if it sent one.

Errors are \`{error: {code, message}}\`. On 400 fix the request, on 404 the id is wrong, on 409 choose something else, on 429 \
wait, on 5xx send the same request again with the same idempotency key.

Fields, event types and codes may be added: ignore what you do not know.`
