/** The state of one request that the response headers and the log need. */
import type { Connection } from "./Connection.ts"
import { requestId } from "./requestId.ts"
import type { RenderError } from "./Route.ts"
import type { BucketState } from "./TokenBuckets.ts"

export interface RequestContext {
  readonly request: Request
  readonly connection: Connection
  readonly requestId: string
  /** The ID of the caller's trace, from the header `traceparent` of the W3C. */
  readonly traceId: string | undefined
  /** The route pattern, never the actual path. `undefined` for an unknown path. */
  readonly route: string | undefined
  readonly startedMs: number
  /** Known from the route, or after a mount has read the message. */
  op: string | undefined
  /** Known once the request is authenticated. */
  orgId: string | undefined
  standing: BucketState | undefined
  /** The ID under which key usage is counted. */
  keyId: string | undefined
  /** Renders errors. If undefined, errors are JSON. */
  failed: RenderError | undefined
}

export const make = (request: Request, connection: Connection, route?: string, op?: string): RequestContext => ({
  request,
  connection,
  requestId: requestId(request.headers.get("x-request-id")),
  traceId: traceparent.exec(request.headers.get("traceparent") ?? "")?.[1],
  route,
  op,
  startedMs: performance.now(),
  orgId: undefined,
  standing: undefined,
  keyId: undefined,
  failed: undefined
})

const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/
