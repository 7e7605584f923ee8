import * as Context from "effect/Context"
import { liveServices as defaultServices } from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

/** The W3C `traceparent` header, or no header. */
export type TraceHeaders = Readonly<Partial<Record<"traceparent", string>>>

/**
 * The current span as headers for a request to another service. If the operator has not configured a tracer, the
 * headers are empty, because the default tracer exports no spans.
 */
export const traceHeaders: Effect.Effect<TraceHeaders> = Effect.flatMap(
  Effect.tracer,
  (tracer) =>
    tracer === Context.get(defaultServices, Tracer.Tracer)
      ? Effect.succeed({})
      : Effect.match(Effect.currentSpan, {
        onFailure: () => ({}),
        onSuccess: ({ sampled, spanId, traceId }) => ({
          traceparent: `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`
        })
      })
)
