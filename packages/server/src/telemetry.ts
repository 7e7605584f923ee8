/**
 * OpenTelemetry traces and metrics, sent to a collector over OTLP/HTTP. The exporter is loaded only if an endpoint is
 * set.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Headers from "@effect/platform/Headers"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import type { RequestTracer } from "@trailbook/http/handler"
import * as Reply from "@trailbook/http/response/Reply"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { readVersion } from "@trailbook/runtime/readVersion"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"

export interface TelemetrySettings {
  /** The collector's base URL. Without it, nothing is sent. */
  readonly otlpEndpoint: string | undefined
}

/** Traces an effect and all fibers that it forks. Sends the traces and metrics until the scope closes. */
export const withTelemetry =
  ({ otlpEndpoint }: TelemetrySettings) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | OperatorError, R | Scope.Scope> =>
    otlpEndpoint === undefined
      ? effect
      : Effect.flatMap(makeTracer(otlpEndpoint), (tracer) => Effect.withTracer(effect, tracer))

const makeTracer = (endpoint: string) =>
  Effect.gen(function*() {
    const [{ make }, metrics, { layerJson }] = yield* Effect.tryPromise({
      try: () =>
        Promise.all([
          import("@effect/opentelemetry/OtlpTracer"),
          import("@effect/opentelemetry/OtlpMetrics"),
          import("@effect/opentelemetry/OtlpSerialization")
        ]),
      catch: () =>
        new OperatorError(
          "--otlp-endpoint requires the package @effect/opentelemetry.",
          "Run npm install @effect/opentelemetry@0.64."
        )
    })
    const resource = { serviceName: "trailbook", serviceVersion: readVersion() }
    return yield* Effect.gen(function*() {
      yield* metrics.make({ url: `${endpoint}/v1/metrics`, resource })
      return withoutPersonalData(yield* make({ url: `${endpoint}/v1/traces`, resource }))
    }).pipe(Effect.provide([layerJson, FetchHttpClient.layer]))
  })

/**
 * The attributes that contain no personal data. URLs, statements, messages, and stacks can contain guest data or keys.
 */
const allowedAttributes = new Set([
  "bytes",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "mail",
  "trailbook.org_id",
  "trailbook.request_id",
  "webhook"
])

const withoutPersonalData = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: (f, fiber) => tracer.context(f, fiber),
    span: (...args) => {
      const span = tracer.span(...args)
      const setAttribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (allowedAttributes.has(key)) setAttribute(key, value)
        },
        end: (time: bigint, exit: Exit.Exit<unknown, unknown>) =>
          end(
            time,
            Exit.isSuccess(exit)
              ? Exit.void
              : Cause.isInterruptedOnly(exit.cause)
              ? redactedInterruption
              : redactedFailure
          ),
        event: () => {}
      })
    }
  })

const redactedInterruption = Exit.interrupt(FiberId.none)
const redactedFailure = Exit.fail("failed")

/** Traces a request as part of the caller's trace. The name is the route, because a path can contain a token. */
export const traceRequest: RequestTracer = (exchange, response) => {
  const { op, request: { headers, method }, requestId, route = "other" } = exchange
  const parent = HttpTraceContext.w3c(Headers.fromInput({ traceparent: headers.get("traceparent") ?? "" }))
  return response.pipe(
    Effect.exit,
    Effect.tap((exit) => {
      const reply = Reply.fromExit(exit, undefined)
      return Effect.annotateCurrentSpan({
        "http.response.status_code": reply instanceof Promise ? undefined : reply.status,
        "trailbook.org_id": exchange.orgId
      })
    }),
    Effect.withSpan(op ?? `${method} ${route}`, {
      attributes: { "http.request.method": method, "http.route": route, "trailbook.request_id": requestId },
      captureStackTrace: false,
      kind: "server",
      parent: Option.getOrUndefined(parent)
    }),
    Effect.flatten
  )
}
