/** Builds the responses. Error responses shared by many operations are components. */
import { formatExampleMessage, getHttpStatus, getRefusalKind, type RefusalCode, refusalKinds } from "@trailbook/core"

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example })

/** Response headers by component name. */
export const headerComponents = {
  RequestId: text("The request ID sent by the caller, or a generated ID.", "2f1c8a40-77b3-4d5e-1"),
  RateLimitPolicy: text(
    "The rate limit of this API key: a burst of `q` requests, refilled within `w` seconds. Each " +
      "full 32 KiB of a response and each full 4 KiB of a request body counts as an additional request.",
    "\"key\";q=200;w=2"
  ),
  RateLimit: text("`r` requests remain, and the limit resets in `t` seconds.", "\"key\";r=199;t=1"),
  RetryAfter: {
    description: "The number of seconds to wait before retrying.",
    schema: { type: "integer", minimum: 0 },
    example: 1
  },
  Authenticate: text("How to authenticate.", "Bearer")
}

const ref = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` })

const requestId = { "X-Request-Id": ref("RequestId") }

/** The headers on every authenticated response. */
const responseHeaders = {
  ...requestId,
  "RateLimit-Policy": ref("RateLimitPolicy"),
  RateLimit: ref("RateLimit")
}

/** Returns the headers for an error status. */
const errorHeaders = (status: number): object => {
  if (status === 401) return { ...requestId, "WWW-Authenticate": ref("Authenticate") }
  return status === 429 || status === 503 ? { ...responseHeaders, "Retry-After": ref("RetryAfter") } : responseHeaders
}

export const makeJsonContent = (schema: object) => ({ "application/json": { schema } })

export const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      description: "The reason for the error.",
      required: ["code", "message"],
      properties: {
        code: { type: "string", description: "A stable, machine-readable code." },
        message: { type: "string", description: "A human-readable message. Its wording can change." }
      }
    }
  }
}

const makeErrorResponse = (code: RefusalCode, ...otherCodes: ReadonlyArray<RefusalCode>) => {
  const { next, status, when } = refusalKinds[getRefusalKind(code)]
  return {
    description: `${when} ${next}`,
    headers: errorHeaders(status),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(
          [code, ...otherCodes].map((
            code
          ) => [code, { value: { error: { code, message: formatExampleMessage(code) } } }])
        )
      }
    }
  }
}

/**
 * Codes that can occur before or after an operation runs. A response becomes a component if no other code has the same
 * status.
 */
const initialCodes = ["invalid_request", "unauthorized", "forbidden"] as const
const bodyCodes = ["too_large", "unsupported_media_type"] as const
const finalCodes = ["internal", "unavailable"] as const

const sharedCodes: ReadonlySet<RefusalCode> = new Set(
  [
    ...initialCodes,
    "not_found",
    ...bodyCodes,
    "rate_limited",
    ...finalCodes
  ] as const
)

const toComponentName = (code: RefusalCode): string =>
  code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

export const sharedResponses: Readonly<Record<string, object>> = Object.fromEntries(
  [...sharedCodes].map((code) => [toComponentName(code), makeErrorResponse(code)])
)

/** Returns a route's or operation's responses by status: its success, and the errors with the given additional codes. */
export const buildResponses = (
  { content, extraCodes, status, takesBody }: {
    readonly content: object
    readonly extraCodes: ReadonlyArray<RefusalCode>
    readonly status: number
    readonly takesBody: boolean
  }
): Readonly<Record<string, object>> => {
  const byStatus = new Map<number, [RefusalCode, ...Array<RefusalCode>]>()
  for (
    const code of [
      ...initialCodes,
      ...(takesBody ? bodyCodes : []),
      "rate_limited",
      ...extraCodes,
      ...finalCodes
    ] as const
  ) {
    const codes = byStatus.get(getHttpStatus(code))
    if (codes === undefined) byStatus.set(getHttpStatus(code), [code])
    else codes.push(code)
  }
  const errors = [...byStatus].map(([status, codes]) => [
    status,
    codes.length === 1 && sharedCodes.has(codes[0])
      ? { $ref: `#/components/responses/${toComponentName(codes[0])}` }
      : makeErrorResponse(...codes)
  ])
  return {
    [status]: { description: status === 201 ? "Created." : "Success.", headers: responseHeaders, content },
    ...Object.fromEntries(errors)
  }
}
