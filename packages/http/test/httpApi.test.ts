import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as OpenApi from "@effect/platform/OpenApi"
import { operations } from "@trailbook/core/layer"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { assert, describe, it } from "vitest"
import { httpApi } from "../src/httpApi.ts"
import { document } from "../src/openapi/document.ts"
import { start } from "./Service.ts"

const api = httpApi(operations)

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

/** The common parts of two descriptions: the location and schema of every field, and the response. */
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
  it("describes every operation in the same way as the OpenAPI document", () => {
    const theirs = gist(OpenApi.fromApi(api).paths, "/v1")
    const ours = gist(document(operations, { base: "/v1" }).paths, "")
    assert.strictEqual(Object.keys(theirs).length, operations.length)
    assert.deepStrictEqual(theirs, ours)
  })

  it("can be used to call the service with Effect", async () => {
    const service = await start()
    const program = Effect.gen(function*() {
      // Its methods are created by name, so the compiler does not know them.
      const client = yield* HttpApiClient.make(api, {
        baseUrl: service.url,
        transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(service.key))
      }) as Effect.Effect<Client, never, HttpClient.HttpClient>
      const call = (group: string, endpoint: string, request: object): Effect.Effect<unknown, unknown> => {
        const method = client[group]?.[endpoint]
        return method === undefined ? Effect.dieMessage(`no ${group}.${endpoint}`) : method(request)
      }
      const made = yield* call("offerings", "create", {
        path: {},
        payload: { name: "Raft", kind: "class", metadata: { a: 1 }, lat: null }
      })
      const { id } = made as { readonly id: string }
      const got = yield* call("offerings", "get", { path: { id }, urlParams: {} })
      const listed = yield* call("offerings", "list", { path: {}, urlParams: { kind: "class", limit: 1 } })
      const refused = yield* Effect.either(
        call("offerings", "get", { path: { id: crypto.randomUUID() }, urlParams: {} })
      )
      const deleted = yield* call("offerings", "delete", { path: { id }, urlParams: { cancel_bookings: true } })
      return { made, got, listed, refused, deleted }
    })
    const { deleted, got, listed, made, refused } = await Effect.runPromise(
      Effect.provide(program, FetchHttpClient.layer)
    )
    await service.close()
    assert.deepStrictEqual(got, made)
    assert.deepStrictEqual(listed, { data: [made] })
    assert.deepStrictEqual(deleted, { cancelled: 0, refunded: 0, pending: 0 })
    assert.isTrue(Either.isLeft(refused))
    if (Either.isLeft(refused)) assert.nestedPropertyVal(refused.left, "error.code", "not_found")
  })
})

type Client = Record<string, Record<string, (request: object) => Effect.Effect<unknown, unknown>>>
