const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example })

/**
 * The headers that answers carry, by the name of their component.
 *
 * @category constants
 */
export const headers = {
  RequestId: text("The id of this request: the caller's own, or a new one.", "2f1c8a40-77b3-4d5e-1"),
  RateLimitPolicy: text(
    "The limit of this key: `q` requests at once, and as many again within `w` seconds. A request counts once more for " +
      "each whole 32 KiB of its answer, which the next ones then wait for, and for each whole 4 KiB of its body.",
    "\"key\";q=200;w=2"
  ),
  RateLimit: text("`r` requests are left, and in `t` seconds all of them.", "\"key\";r=199;t=1"),
  RetryAfter: {
    description: "Seconds after which the same request may be sent again.",
    schema: { type: "integer", minimum: 0 },
    example: 1
  },
  Authenticate: text("How to authenticate.", "Bearer")
}

const ref = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

const requestId = { "X-Request-Id": ref("RequestId") }

/**
 * On every answer to a good key.
 *
 * @category constants
 */
export const answerHeaders = {
  ...requestId,
  "RateLimit-Policy": ref("RateLimitPolicy"),
  RateLimit: ref("RateLimit")
}

/**
 * On an error of a status.
 *
 * @category getters
 */
export const errorHeaders = (status: number): object => {
  if (status === 401) return { ...requestId, "WWW-Authenticate": ref("Authenticate") }
  return status === 429 || status === 503 ? { ...answerHeaders, "Retry-After": ref("RetryAfter") } : answerHeaders
}
