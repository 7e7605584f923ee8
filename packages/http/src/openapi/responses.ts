/**
 * The error answers. Those that many operations give alike are components.
 *
 * @since 0.1.0
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import { hasBody } from "../input.ts"
import { errorCodes } from "./errorCodes.ts"
import { headersOf } from "./headers.ts"

/**
 * @since 0.1.0
 * @category constructors
 */
export const json = (schema: object) => ({ "application/json": { schema } })

/**
 * @since 0.1.0
 * @category constants
 */
export const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "string", description: "For programs; a promise." },
        message: { type: "string", description: "For people; it may change." }
      }
    }
  }
}

const descriptions: Readonly<Record<number, string>> = {
  400: "The request is wrong. The message names the field and what it must be.",
  401: "The key is missing or not valid.",
  403: "The key lacks the scope.",
  404: "There is nothing by this id, or it is another outfitter's.",
  409: "It cannot be done as things are. Choose something else.",
  413: "The body is over 1 MiB.",
  415: "The body is not JSON in UTF-8.",
  429: "Too often. Wait as long as Retry-After says.",
  500: "Something went wrong. Send the same request again.",
  503: "The service cannot answer now. Send the same request again."
}

const response = (status: number, codes: ReadonlyArray<string>) => ({
  description: descriptions[status] ?? "The request is refused.",
  headers: headersOf(status),
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Error" },
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: { error: { code, message: errorCodes[code]?.message ?? code } } }])
      )
    }
  }
})

/** Statuses that stand for one code wherever they are answered. */
const shared: Readonly<Record<string, readonly [name: string, status: number]>> = {
  invalid_request: ["InvalidRequest", 400],
  unauthorized: ["Unauthorized", 401],
  forbidden: ["Forbidden", 403],
  not_found: ["NotFound", 404],
  too_large: ["TooLarge", 413],
  unsupported_media_type: ["UnsupportedMediaType", 415],
  rate_limited: ["RateLimited", 429],
  internal: ["Internal", 500],
  unavailable: ["Unavailable", 503]
}

/**
 * @since 0.1.0
 * @category constants
 */
export const sharedResponses: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(shared).map(([code, [name, status]]) => [name, response(status, [code])])
)

/**
 * The error answers of an operation, by status.
 *
 * @since 0.1.0
 * @category converting
 */
export const refusals = (operation: Operation.Any): Readonly<Record<string, object>> => {
  const byStatus = new Map<number, ReadonlyArray<string>>()
  for (const code of codesOf(operation)) {
    const status = errorCodes[code]?.status ?? 409
    byStatus.set(status, [...byStatus.get(status) ?? [], code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const [only, ...others] = codes
      const component = only !== undefined && others.length === 0 ? shared[only] : undefined
      return [
        status,
        component === undefined ? response(status, codes) : { $ref: `#/components/responses/${component[0]}` }
      ]
    })
  )
}

const codesOf = (operation: Operation.Any): ReadonlyArray<string> => [
  "invalid_request",
  "unauthorized",
  "forbidden",
  ...(hasBody(operation) ? ["too_large", "unsupported_media_type"] : []),
  "rate_limited",
  ...operation.refusals,
  "internal",
  "unavailable"
]
