/** The request state needed for response headers and logging. */
import type * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as HashMap from "effect/HashMap"
import * as Logger from "effect/Logger"
import type { Connection } from "../connection/Connection.ts"
import type { BucketState } from "../limit/TokenBuckets.ts"
import type { ErrorRenderer } from "../Route.ts"

export interface RequestContext {
  readonly request: Request
  readonly connection: Connection
  readonly requestId: string
  /** The caller's trace ID, from the W3C `traceparent` header. */
  readonly traceId: string | undefined
  /** The route pattern, or `undefined` for an unknown path. It never contains values from the actual path. */
  readonly route: string | undefined
  readonly startedMs: number
  /** The operation: known from the route or, for a mount, once the message has been read. */
  op: string | undefined
  /** The org, which is known once the request has been authenticated. */
  orgId: string | undefined
  bucket: BucketState | undefined
  /** The ID under which key usage is counted. */
  keyId: string | undefined
  /** Renders errors. Default: JSON. */
  failed: ErrorRenderer | undefined
}

export const make = (request: Request, connection: Connection, route?: string, op?: string): RequestContext => ({
  request,
  connection,
  requestId: resolveRequestId(request.headers.get("x-request-id")),
  traceId: traceparent.exec(request.headers.get("traceparent") ?? "")?.[1],
  route,
  op,
  startedMs: performance.now(),
  orgId: undefined,
  bucket: undefined,
  keyId: undefined,
  failed: undefined
})

const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

const current = FiberRef.unsafeMake<RequestContext | undefined>(undefined)

/** Sets a new fiber's current request. The request does not change until the fiber ends. */
export const setCurrent =
  (exchange: RequestContext) => (refs: FiberRefs.FiberRefs, fiberId: FiberId.Runtime): FiberRefs.FiberRefs =>
    FiberRefs.updateAs(refs, { fiberId, fiberRef: current, value: exchange })

/**
 * Adds the fiber's request to the annotations on each log entry. Fiber annotations would add 11% to the cost of a read,
 * because Effect hashes them even if nothing is logged.
 */
export const annotateLogger = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
  Logger.mapInputOptions(logger, (options: Logger.Logger.Options<unknown>) => {
    const exchange = FiberRefs.getOrDefault(options.context, current)
    if (exchange === undefined) return options
    const { orgId: org_id, requestId: request_id, traceId: trace_id } = exchange
    const ids = Object.entries({ request_id, trace_id, org_id }).filter(([, value]) => value !== undefined)
    return { ...options, annotations: HashMap.union(HashMap.fromIterable(ids), options.annotations) }
  })

/** Returns the caller's request ID if it is safe to echo, or a new ID otherwise. */
export const resolveRequestId = (callerId: string | null | undefined): string =>
  typeof callerId === "string" && safe.test(callerId) ? callerId : process + (++counter).toString(36)

// Characters that are safe in logs, shells, and headers.
const safe = /^[\w.:@/+=-]{1,128}$/

// IDs combine a random prefix per process with a counter, which makes them unique and cheap to create.
const process = `${crypto.randomUUID().slice(0, 18)}-`
let counter = 0
