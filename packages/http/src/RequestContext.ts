/**
 * One request on its way to its answer: what the answer's headers and the log
 * need to know of it.
 */
import type { Connection } from "./Connection.ts"
import { requestId } from "./requestId.ts"
import type { RenderError } from "./Route.ts"
import type { BucketState } from "./TokenBuckets.ts"

export interface RequestContext {
  readonly request: Request
  readonly connection: Connection
  readonly requestId: string
  /** The pattern, never the address; `undefined` for an address that is none of ours. */
  readonly route: string | undefined
  readonly startedMs: number
  /** Known from the route, or once a mount has read the message. */
  op: string | undefined
  /** These are known once the key is. */
  orgId: string | undefined
  standing: BucketState | undefined
  /** What the use of the key is counted under. */
  keyId: string | undefined
  /** How it is said what went wrong; as JSON, while nothing is said. */
  failed: RenderError | undefined
}

export const make = (request: Request, connection: Connection, route?: string, op?: string): RequestContext => ({
  request,
  connection,
  requestId: requestId(request.headers.get("x-request-id")),
  route,
  op,
  startedMs: performance.now(),
  orgId: undefined,
  standing: undefined,
  keyId: undefined,
  failed: undefined
})
