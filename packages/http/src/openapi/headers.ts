const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example })

/** Response headers by component name. */
export const headers = {
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

const ref = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

const requestId = { "X-Request-Id": ref("RequestId") }

/** The headers on every authenticated response. */
export const answerHeaders = {
  ...requestId,
  "RateLimit-Policy": ref("RateLimitPolicy"),
  RateLimit: ref("RateLimit")
}

/** Returns the headers for an error status. */
export const errorHeaders = (status: number): object => {
  if (status === 401) return { ...requestId, "WWW-Authenticate": ref("Authenticate") }
  return status === 429 || status === 503 ? { ...answerHeaders, "Retry-After": ref("RetryAfter") } : answerHeaders
}
