import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as OpenApi from "@effect/platform/OpenApi"
import { operations } from "@trailbook/core/layer"
import * as Effect from "effect/Effect"
import { assert, describe, expectTypeOf, it } from "vitest"
import { TrailbookApi } from "../src/httpApi.ts"
import { buildDocument } from "../src/openapi/buildDocument.ts"
import { start } from "./Service.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: object
}
interface Entry {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: { readonly properties: object } } }
  }
  readonly responses: Readonly<Record<string, { readonly content: unknown }>>
}

/** Returns the parts of an API description to compare: the location and schema of every field, and the response. */
const gist = (paths: object, prefix: string) =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Entry>).map(([method, entry]) => {
        const { operationId, parameters, requestBody, responses } = entry
        const [status = ""] = Object.keys(responses)
        const body = requestBody?.content["application/json"].schema.properties ?? {}
        return [operationId, {
          method,
          path: path.slice(prefix.length),
          parameters: parameters
            .filter((parameter) => parameter.in !== "header")
            .map(({ in: place, name, required, schema }) => ({
              name,
              in: place,
              required,
              schema: withoutNoise(schema)
            })),
          body: withoutNoise(body),
          status,
          errors: Object.keys(responses).filter((status) => status >= "400").length > 0
        }]
      })
    )
  )

/** Removes the titles and defaults that Effect adds to JSON Schema. */
const withoutNoise = (schema: object): unknown =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      (key === "title" || key === "description") && typeof value === "string" || /^(min|max)Items$/.test(key)
        ? undefined
        : value)
  )

describe("the HttpApi for Effect clients", () => {
  it("matches the OpenAPI document for every operation", () => {
    const clientPaths = gist(OpenApi.fromApi(TrailbookApi).paths, "/v1")
    const documentPaths = gist(buildDocument(operations, { base: "/v1" }).paths, "")
    assert.strictEqual(Object.keys(clientPaths).length, operations.length)
    assert.deepStrictEqual(clientPaths, documentPaths)
  })

  it("lets an Effect program call the service", async () => {
    const service = await start()
    const program = Effect.gen(function*() {
      const { offerings, org, sessions } = yield* HttpApiClient.make(TrailbookApi, {
        baseUrl: service.url,
        transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(service.key))
      })
      const created = yield* offerings.create({
        payload: { name: "Raft", kind: "class", metadata: { a: 1 }, lat: null }
      })
      const { id } = created
      const { name } = yield* org.get()
      const got = yield* offerings.get({ path: { id } })
      const listed = yield* offerings.list({ urlParams: { kind: "class", limit: 1 } })
      const refusalCode = yield* offerings.get({ path: { id: crypto.randomUUID() } }).pipe(
        Effect.catchTag("ApiError", ({ error }) => Effect.succeed(error.code))
      )
      const { data: [session] } = yield* sessions.create({
        payload: { offering_id: id, starts_at: "2099-05-01T15:00:00Z" }
      })
      const { status } = yield* sessions.cancel({ path: { id: session?.id ?? "" } })
      const deleted = yield* offerings.delete({ path: { id }, urlParams: { cancel_bookings: true } })
      return { deleted, got, listed, created, name, refusalCode, status }
    })
    const { deleted, got, listed, created, name, refusalCode, status } = await Effect.runPromise(
      Effect.provide(program, FetchHttpClient.layer)
    )
    await service.close()
    assert.deepStrictEqual(got, created)
    assert.deepStrictEqual(listed, { data: [created] })
    assert.deepStrictEqual(deleted, { cancelled: 0, refunded: 0, pending: 0 })
    assert.strictEqual(name, "Rapid Rivers")
    assert.strictEqual(refusalCode, "not_found")
    assert.strictEqual(status, "cancelled")
  })

  it("checks input types at compile time", () => {
    type Client = Effect.Effect.Success<ReturnType<typeof makeClient>>
    type Input<F extends (request: never) => unknown> = Parameters<F>[0]
    expectTypeOf<Input<Client["sessions"]["cancel"]>>().toExtend<{ readonly path: { readonly id: string } }>()
    expectTypeOf<{ readonly urlParams: { readonly limit: string } }>().not.toExtend<
      Input<Client["offerings"]["list"]>
    >()
    expectTypeOf<{ readonly payload: { readonly name: string } }>().not.toExtend<Input<Client["offerings"]["create"]>>()
  })
})

const makeClient = () => HttpApiClient.make(TrailbookApi)
