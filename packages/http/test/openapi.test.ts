import { getHttpStatus } from "@trailbook/core"
import { eventTypes } from "@trailbook/core/event"
import { operations } from "@trailbook/core/layer"
import * as Schema from "effect/Schema"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { apiDescription, apiDescriptionAt, routes } from "./openapiDocument.ts"
import { type Service, start } from "./Service.ts"

interface Entry {
  readonly operationId: string
  readonly parameters: ReadonlyArray<
    {
      readonly name: string
      readonly in: string
      readonly required: boolean
      readonly description: string
      readonly schema: object
    }
  >
  readonly requestBody?: {
    readonly required: boolean
    readonly content: {
      readonly "application/json": {
        readonly schema: { readonly properties: Record<string, object>; readonly [key: string]: unknown }
      }
    }
  }
  readonly responses: Readonly<Record<string, object>>
}
const entryOf = (name: string): Entry => {
  for (const path of Object.values(apiDescription.paths)) {
    for (const entry of Object.values(path)) if ((entry as Entry).operationId === name) return entry as Entry
  }
  return assert.fail(`The document does not contain ${name}.`)
}

interface DescribedSchema {
  readonly description?: string
  readonly items?: DescribedSchema
  readonly properties?: Readonly<Record<string, DescribedSchema>>
}

/** Lists all fields with their paths. */
const fieldsWithin = (
  { items, properties }: DescribedSchema,
  path: string
): ReadonlyArray<readonly [string, DescribedSchema]> =>
  Object.entries({ ...properties, ...items?.properties }).flatMap(([name, inner]) => [
    [`${path}.${name}`, inner] as const,
    ...fieldsWithin(inner, `${path}.${name}`)
  ])

const withoutWords = (schema: DescribedSchema, path: string): ReadonlyArray<string> =>
  fieldsWithin(schema, path).filter(([, { description = "" }]) => description.trim() === "").map(([path]) => path)

describe("the OpenAPI document", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ publicUrl: "https://book.example.org" })
  })
  afterAll(() => service.close())

  it("is served unchanged to callers without a key", async () => {
    const answer = await service.ask("GET", "/v1/openapi.json", { key: null })
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-type"), "application/json")
    const publicly = apiDescriptionAt("https://book.example.org")
    assert.deepStrictEqual(answer.json, JSON.parse(JSON.stringify(publicly)))
    assert.strictEqual(publicly.servers[0]?.url, "https://book.example.org/v1")
    assert.strictEqual(apiDescription.servers[0]?.url, "/v1")
  })

  it("has one named entry per operation or public route", () => {
    assert.strictEqual(apiDescription.openapi, "3.1.0")
    assert.strictEqual(apiDescription.info.version, "1")
    const entries = Object.entries(apiDescription.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, entry]) => [(entry as Entry).operationId, method, path])
    )
    assert.sameDeepMembers(
      entries,
      [...operations, ...routes.filter((route) => route.description !== undefined)].map(({ method, name, path }) => [
        name,
        method.toLowerCase(),
        path.replace(/^\/v1/, "").replace(/:(\w+)/, "{$1}")
      ])
    )
  })

  it("contains the resources as components", () => {
    for (const name of ["Booking", "Offering", "Session", "Customer", "Org", "Event", "HoursEntry", "Error"]) {
      assert.property(apiDescription.components.schemas, name)
    }
  })

  it("declares a webhook and its payload for every event", () => {
    assert.sameMembers(Object.keys(apiDescription.webhooks), [...eventTypes, "webhook.test"])
    const { post } = apiDescription.webhooks["booking.moved"] as { readonly post: Pick<Entry, "requestBody"> }
    assert.deepInclude(post.requestBody?.content["application/json"].schema.properties, {
      data: { $ref: "#/components/schemas/Booking" }
    })
  })

  it("declares the bounds of fields and the required fields", () => {
    assert.deepStrictEqual(entryOf("bookings.list").parameters.find(({ name }) => name === "limit"), {
      name: "limit",
      in: "query",
      required: false,
      description: "page size; default: 100",
      schema: { type: "integer", minimum: 1, maximum: 500, default: 100 }
    })
    assert.deepStrictEqual(entryOf("bookings.get").parameters, [
      { name: "id", in: "path", required: true, description: "the booking", schema: { type: "string", format: "uuid" } }
    ])
    const { requestBody } = entryOf("offerings.create")
    assert.strictEqual(requestBody?.required, true)
    assert.deepInclude(requestBody?.content["application/json"].schema, {
      required: ["name", "kind"],
      additionalProperties: false
    })
    assert.deepStrictEqual(requestBody?.content["application/json"].schema.properties.name, {
      type: "string",
      minLength: 1,
      maxLength: 120,
      description: "shown to guests"
    })
    assert.strictEqual(entryOf("org.update").requestBody?.required, false)
    assert.isUndefined(entryOf("bookings.confirm").requestBody)
    assert.include(JSON.stringify(entryOf("bookings.create").parameters), "Idempotency-Key")
  })

  it("describes every input field, including nested ones", () => {
    let fields = 0
    for (const { name } of operations) {
      const { parameters, requestBody } = entryOf(name)
      const schemas = [
        ...parameters.map(({ description, name, schema }) => [name, { description, ...schema }] as const),
        ...Object.entries(requestBody?.content["application/json"].schema.properties ?? {})
      ]
      for (const [field, schema] of schemas) {
        assert.deepStrictEqual(withoutWords({ properties: { [field]: schema } }, name), [])
      }
      fields += schemas.length
    }
    assert.isAbove(fields, 100)
  })

  it("describes every resource field, including nested ones", () => {
    const resources = Object.entries(apiDescription.components["schemas"] ?? {}).map(([name, schema]) => ({
      fields: fieldsWithin(schema, name),
      without: withoutWords(schema, name)
    }))
    assert.deepStrictEqual(resources.flatMap(({ without }) => without), [])
    assert.isAbove(resources.flatMap(({ fields }) => fields).length, 150)
  })

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    "contains a valid example response for %s",
    (name, { output, status }) => {
      const { content } = entryOf(name).responses[status] as {
        readonly content: { readonly "application/json": { readonly example: unknown } }
      }
      Schema.decodeUnknownSync(Schema.make(output.ast), { onExcessProperty: "error" })(
        content["application/json"].example
      )
    }
  )

  it("declares the HTTP status of each operation's error codes", () => {
    for (const { name, refusals } of operations) {
      for (const code of refusals) {
        assert.nestedProperty(entryOf(name).responses, String(getHttpStatus(code)))
      }
    }
  })

  it("requires a body only if the operation requires a field", () => {
    for (const { exactlyOne, method, name } of operations) {
      const { content, required } = entryOf(name).requestBody ?? {}
      if (content === undefined || method === "DELETE") continue
      const { required: fields = [] } = content["application/json"].schema
      assert.strictEqual(required, (fields as ReadonlyArray<string>).length > 0 || exactlyOne.length > 0, name)
    }
    assert.isTrue(entryOf("bookings.move").requestBody?.required)
    assert.isFalse(entryOf("offerings.update").requestBody?.required)
  })

  it("contains no internal annotations", () => {
    const text = JSON.stringify(apiDescription)
    for (const trace of ["\"title\":\"int\"", "maxItems(", "an integer", "$id", "<declaration"]) {
      assert.notInclude(text, trace)
    }
  })
})
