/** Serves a server's or worker's metrics in the Prometheus text format, on a separate listener. */
import { type MailFailed, mailFailureReasons } from "@trailbook/core/mail"
import { durationBoundaries, makeMetricLabeler } from "@trailbook/core/port"
import { taskQueues } from "@trailbook/core/task/Task"
import type { LogEntry } from "@trailbook/http/LogEntry"
import * as Serve from "@trailbook/http/serve"
import type { OperatorError } from "@trailbook/runtime/OperatorError"
import { Database } from "@trailbook/sql/Database"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { explainListenError, getListenUrl } from "./listenAddress.ts"

export interface MetricsSettings {
  readonly metricsHost: string
  /** The listener's port. Without it, no metrics are served. */
  readonly metricsPort: number | undefined
  /** If a collector is set, metrics that are otherwise read only on demand are also read every 10 seconds. */
  readonly otlpEndpoint: string | undefined
}

const requestDuration = Metric.histogram(
  "trailbook_http_request_duration_seconds",
  durationBoundaries,
  "HTTP request duration by operation or route, and by status."
)
const requestLabels = makeMetricLabeler("operation", "status")

/** Measures a request. All unknown paths share one label, so that clients cannot create new label values. */
export const observeRequest = ({ ms, msg, op, route, status }: LogEntry): void => {
  if (msg !== "request" || ms === undefined) return
  requestDuration.unsafeUpdate(ms / 1000, requestLabels(op ?? route ?? "other", String(status)))
}

const mailFailures = Metric.counter("trailbook_mail_failures_total", {
  description: "Outgoing emails not accepted by the mail server, by reason.",
  incremental: true
})
const mailFailureLabels = makeMetricLabeler("reason")

for (const reason of mailFailureReasons) mailFailures.unsafeUpdate(0, mailFailureLabels(reason))

export const countMailFailure = ({ reason }: MailFailed): Effect.Effect<void> =>
  Effect.sync(() => mailFailures.unsafeUpdate(1, mailFailureLabels(reason)))

const gauge = (name: string, description: string) => Metric.gauge(`trailbook_${name}`, { description })

const eventLoopLag = gauge("event_loop_lag_seconds", "Event loop delay since the last scrape, by quantile.")
const lagLabels = makeMetricLabeler("quantile")
const poolConnections = gauge("database_pool_connections", "Connections and waiting requests per pool, by status.")
const poolLabels = makeMetricLabeler("pool", "status")
const tasksDue = gauge("tasks_due", "Due tasks not yet completed, by queue.")
const taskAge = gauge("task_age_seconds", "Time since the oldest due task in each queue became due.")
const queueLabels = makeMetricLabeler("queue")
const webhookLag = gauge(
  "webhook_lag_seconds",
  "Age of the oldest undelivered event for webhooks that are not failing."
)

/** The sampling interval for the delay, in milliseconds. Node includes it in the measured delay. */
const samplingMs = 10

/** Returns an effect that updates the metrics that are only read on demand. */
const makeCollect = Effect.gen(function*() {
  const { dialect: { table }, pools, query } = yield* Database
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const delay = monitorEventLoopDelay({ resolution: samplingMs })
      delay.enable()
      return delay
    }),
    (delay) => Effect.sync(() => delay.disable())
  )
  return Effect.gen(function*() {
    for (const percent of [50, 99, 100]) {
      const seconds = Math.max(0, delay.percentile(percent) / 1e9 - samplingMs / 1000)
      eventLoopLag.unsafeUpdate(seconds, lagLabels(String(percent / 100)))
    }
    delay.reset()
    for (const [name, { idleCount, totalCount, waitingCount }] of Object.entries(pools)) {
      poolConnections.unsafeUpdate(totalCount - idleCount, poolLabels(name, "busy"))
      poolConnections.unsafeUpdate(idleCount, poolLabels(name, "idle"))
      poolConnections.unsafeUpdate(waitingCount, poolLabels(name, "waiting"))
    }
    const now = yield* Clock.currentTimeMillis
    const ageSeconds = (at: number | null | undefined): number =>
      typeof at !== "number" ? 0 : Math.max(0, now - at) / 1000
    const due = yield* query<{ readonly queue: string; readonly n: number; readonly oldest: number }>(
      `select queue, cast(count(*) as integer) as n, min(due_at) as oldest from ${table("tasks")}
        where given_up_at is null and due_at <= $1 group by queue`,
      [now]
    )
    for (const queue of taskQueues) {
      const dueTasks = due.find((row) => row.queue === queue)
      tasksDue.unsafeUpdate(dueTasks?.n ?? 0, queueLabels(queue))
      taskAge.unsafeUpdate(ageSeconds(dueTasks?.oldest), queueLabels(queue))
    }
    const [undelivered] = yield* query<{ readonly oldest: number | null }>(
      `select min(e.created_at) as oldest from ${table("event_counters")} counter
        join ${table("webhooks")} w on w.org_id = counter.org_id
        join ${table("events")} e on e.org_id = w.org_id and e.id = (
          select min(later.id) from ${table("events")} later where later.org_id = w.org_id and later.id > w.cursor)
        where counter.undelivered and w.active and w.stopped_at is null and w.cursor < counter.last`
    )
    webhookLag.unsafeUpdate(ageSeconds(undelivered?.oldest), [])
  })
})

/**
 * If a port is set, serves `GET /metrics` until the scope closes. If a collector is set, keeps its metrics up to date.
 */
export const serveMetrics = (
  { metricsHost: host, metricsPort: port, otlpEndpoint }: MetricsSettings
): Effect.Effect<void, OperatorError, Database | Scope.Scope> =>
  port === undefined && otlpEndpoint === undefined ? Effect.void : Effect.gen(function*() {
    const collect = yield* makeCollect
    if (otlpEndpoint !== undefined) {
      yield* Effect.forkScoped(
        Effect.repeat(Effect.catchAllCause(collect, logCollectFailure), Schedule.spaced("10 seconds"))
      )
    }
    if (port === undefined) return
    const run = Runtime.runPromise(yield* Effect.runtime())
    const scrape = Effect.zipRight(collect, Metric.snapshot).pipe(
      Effect.map((pairs) => new Response(formatMetrics(pairs), { headers: { "content-type": contentType } })),
      Effect.catchAllCause((cause) =>
        Effect.as(logCollectFailure(cause), new Response("Could not collect metrics.\n", { status: 503 }))
      )
    )
    const handler = (request: Request): Response | Promise<Response> =>
      request.method === "GET" && new URL(request.url).pathname === "/metrics"
        ? run(scrape)
        : new Response("Metrics are at /metrics.\n", { status: 404 })
    const address = yield* Effect.catchAll(
      Serve.listen({ handler, host, port }),
      (error) => explainListenError(error, host, undefined)
    )
    yield* Effect.annotateLogs(Effect.logInfo("Serving metrics"), { url: `${getListenUrl(address)}/metrics` })
  })

const logCollectFailure = (cause: Cause.Cause<never>) => Effect.logError("Could not collect metrics", cause)

const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** Formats Trailbook's metrics as text for Prometheus. Omits other metrics, such as a host application's. */
export const formatMetrics = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
  const byName = new Map<string, Array<string>>()
  for (const { metricKey: { description, name, tags }, metricState: state } of pairs) {
    if (!name.startsWith("trailbook_")) continue
    const labels = tags.map(({ key, value }) => `${key}=${JSON.stringify(value)}`)
    const formatSample = (suffix: string, value: number | bigint, ...extraLabels: ReadonlyArray<string>): string => {
      const labelList = [...labels, ...extraLabels].join(",")
      return `${name}${suffix}${labelList === "" ? "" : `{${labelList}}`} ${value}`
    }
    const isHistogram = MetricState.isHistogramState(state)
    const type = isHistogram ? "histogram" : MetricState.isCounterState(state) ? "counter" : "gauge"
    const help = description._tag === "Some" ? description.value : name
    const lines = byName.get(name) ?? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
    byName.set(name, lines)
    if (isHistogram) {
      for (const [bound, count] of state.buckets) {
        lines.push(formatSample("_bucket", count, `le="${bound === Number.POSITIVE_INFINITY ? "+Inf" : bound}"`))
      }
      lines.push(formatSample("_sum", state.sum), formatSample("_count", state.count))
    } else if (MetricState.isCounterState(state)) lines.push(formatSample("", state.count))
    else if (MetricState.isGaugeState(state)) lines.push(formatSample("", state.value))
  }
  return [...byName.values()].flat().map((line) => `${line}\n`).join("")
}
