/**
 * The operations as an `HttpApi` of `@effect/platform`, for callers and hosts that use Effect. The server itself uses
 * `handler`; a test compares the two.
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import { Actor } from "@trailbook/core/actor/Actor"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Schema from "effect/Schema"
import { hasBody, pathFields } from "./input.ts"
import { wireFields } from "./wireSchema.ts"

/**
 * One group per resource and one endpoint per operation. Their names combine to the operation's name. Inputs and
 * outputs are the wire JSON.
 */
export const httpApi = (operations: ReadonlyArray<Operation.Any>): Api => {
  const groups = new Map<string, Group>()
  for (const operation of operations) {
    const [resource = "", action = ""] = operation.name.split(".")
    const group = groups.get(resource) ?? HttpApiGroup.make(resource)
    groups.set(resource, group.add(endpoint(action, operation)) as Group)
  }
  let api: Api = HttpApi.make("trailbook").annotate(OpenApi.Title, "Trailbook").annotate(OpenApi.Version, "1")
  for (const group of groups.values()) api = api.add(group)
  for (const status of statuses) api = api.addError(ErrorBody, { status })
  return api.middleware(Authorization)
}

/** The bearer key. A program that mounts the API implements it to provide the actor. */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("@trailbook/http/Authorization", {
  provides: Actor,
  security: { bearer: HttpApiSecurity.bearer }
}) {}

/** The shape of every error. */
export const ErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String })
}).annotations({ identifier: "Error" })

// The groups are built in a loop, so their types are erased.
type Group = HttpApiGroup.HttpApiGroup.AnyWithProps
type Api = HttpApi.HttpApi.AnyWithProps

const statuses = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503]

const endpoint = (action: string, operation: Operation.Any): HttpApiEndpoint.HttpApiEndpoint.Any => {
  const { description, input, method, output, path, status, summary } = operation
  const inPath = pathFields(operation)
  const rest = Object.keys(input.fields).filter((name) => !inPath.includes(name))
  const made = HttpApiEndpoint.make(method)(action, `/v1${path}`)
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, description)
    .setPath(texts(input, inPath))
    .addSuccess(output, { status })
  return hasBody(operation)
    ? made.setPayload(Schema.Struct(wireFields(input, rest, false)))
    : made.setUrlParams(texts(input, rest))
}

/** The fields are built by name, so the compiler cannot check that each encodes to text. */
const texts = (input: Operation.Any["input"], names: ReadonlyArray<string>) =>
  Schema.Struct(wireFields(input, names, true)) as Schema.Schema<
    Readonly<Record<string, unknown>>,
    Readonly<Record<string, string>>
  >
