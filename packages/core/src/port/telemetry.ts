/**
 * Metrics and trace headers for core and its adapters. Metrics are in Effect's registry and always updated, because an
 * update takes only about 0.1 µs. A server exposes the metrics with `--metrics-port`. Each label has few distinct
 * values and never contains personal data.
 */
import * as Context from "effect/Context"
import { liveServices as defaultServices } from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import * as Tracer from "effect/Tracer"

/** The bucket boundaries for durations, in seconds. */
export const durationBoundaries = MetricBoundaries.fromIterable(
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
)

/**
 * Creates a function that returns the labels for a list of values. Equal values always yield the same list, because a
 * metric caches its value by list identity.
 */
export const makeMetricLabeler = (...names: ReadonlyArray<string>) => {
  const labelsByKey = new Map<string, ReadonlyArray<MetricLabel.MetricLabel>>()
  return (...values: ReadonlyArray<string>): ReadonlyArray<MetricLabel.MetricLabel> => {
    const key = values.join("\n")
    const cachedLabels = labelsByKey.get(key)
    if (cachedLabels !== undefined) return cachedLabels
    const labels = names.map((name, index) => MetricLabel.make(name, values[index] ?? ""))
    labelsByKey.set(key, labels)
    return labels
  }
}

export const bookingBatchSize = Metric.histogram(
  "trailbook_booking_batch_size",
  MetricBoundaries.fromIterable([1, 2, 4, 8, 16, 32, 64]),
  "Booking requests per batch."
)

export const bookingBatchWait = Metric.histogram(
  "trailbook_booking_batch_wait_seconds",
  durationBoundaries,
  "Time that a booking request spends in the batch queue."
)

export const bookingsTotal = Metric.counter("trailbook_bookings_total", {
  description: "Booking writes by operation and outcome (the resulting status, refused, or failed).",
  incremental: true
})

export const toBookingLabels = makeMetricLabeler("operation", "status")

export const databaseRetries = Metric.counter("trailbook_database_retries_total", {
  description: "Retried transactions, by reason.",
  incremental: true
})

export const toRetryLabels = makeMetricLabeler("reason")

// Create the counters at startup, so that a monitoring system detects their first increase.
for (const reason of ["conflict", "stale_read", "lost_key"]) databaseRetries.unsafeUpdate(0, toRetryLabels(reason))

/** The W3C `traceparent` header, or no header. */
export type TraceHeaders = Readonly<Partial<Record<"traceparent", string>>>

/**
 * The current span as headers for a request to another service. If the operator has not configured a tracer, the
 * headers are empty, because the default tracer exports no spans.
 */
export const currentTraceHeaders: Effect.Effect<TraceHeaders> = Effect.flatMap(
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
