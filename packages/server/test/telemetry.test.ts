/** Sends a real server's traces and metrics to an OTLP/HTTP receiver. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Mailer } from "@trailbook/core/mail"
import { fetchJson } from "@trailbook/http/fetchJson"
import { Smtp } from "@trailbook/mail"
import { accountsLayer, createOrg, type DatabaseUrl } from "@trailbook/runtime"
import { startServer } from "@trailbook/server"
import { StripeProvider } from "@trailbook/stripe"
import * as Context from "effect/Context"
import { liveServices as defaultServices } from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { once } from "node:events"
import { createServer } from "node:http"
import { join } from "node:path"
import { assert, describe, it, onTestFinished, vi } from "vitest"
import { folder, request } from "../../cli/test/program.ts"
import { postmaster } from "../../mail/test/Postmaster.ts"

interface ReceivedRequest {
  readonly path: string
  readonly traceparent: string | undefined
  readonly text: string
}

/** Starts a server that accepts and stores every request. */
const receive = async () => {
  const received: Array<ReceivedRequest> = []
  const server = createServer((incoming, outgoing) => {
    let text = ""
    incoming.setEncoding("utf8").on("data", (chunk: string) => text += chunk).on("end", () => {
      received.push({ path: incoming.url ?? "", traceparent: incoming.headers.traceparent?.toString(), text })
      outgoing.end("{}")
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { received, url: `http://127.0.0.1:${port}` }
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
}

/** Returns the batches of spans or metrics that were sent to a path. */
const batches = (requests: ReadonlyArray<ReceivedRequest>, path: string) =>
  requests.filter((one) => one.path === path).map(({ text }) => JSON.parse(text))

const spansIn = (requests: ReadonlyArray<ReceivedRequest>): ReadonlyArray<Span> =>
  batches(requests, "/v1/traces").flatMap(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans)

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parent = "00f067aa0ba902b7"

const start = async (otlpEndpoint: string | undefined) => {
  const database: DatabaseUrl = { _tag: "Sqlite", file: join(folder(), "a.sqlite") }
  const server = await startServer({ database, port: 0, otlpEndpoint, webhookAllow: ["127.0.0.0/8"], outbox: folder() })
  onTestFinished(server.stop)
  const { token } = await Effect.runPromise(
    Effect.provide(createOrg({ name: "Salida", timezone: "America/Denver" }), accountsLayer(database))
  )
  const post = (path: string, body: object) =>
    request(`${server.baseUrl}${path}`, token, { method: "POST", body: JSON.stringify(body) })
  return { ...server, post, token }
}

describe("a server with a trace collector", () => {
  it("propagates the caller's trace to webhooks, without personal data", async () => {
    const collector = await receive()
    const hook = await receive()
    const { baseUrl, post, stop, token } = await start(collector.url)
    await post("/webhooks", { url: `${hook.url}/hook` })
    await fetch(`${baseUrl}/customers`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        traceparent: `00-${traceId}-${parent}-01`
      },
      body: JSON.stringify({ name: "Ada Lovelace", email: "ada@example.com" })
    })
    await post("/offerings", { name: "Rafting", kind: "rental" })
    await fetch(`${baseUrl}/no/such/page/ada@example.com`)
    await vi.waitUntil(() => hook.received.length > 0, { timeout: 20_000 })
    await stop()

    const spans = spansIn(collector.received)
    const requestSpan = spans.find((span) => span.traceId === traceId && span.parentSpanId === parent)
    assert.deepInclude(requestSpan, { name: "customers.upsert", kind: 2 })
    const attributes = new Map(requestSpan?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
    assert.strictEqual(attributes.get("http.request.method"), "POST")
    assert.match(String(attributes.get("trailbook.request_id")), /./)
    assert.include(spans.map(({ name }) => name), "GET other")
    for (const { traceparent } of hook.received) {
      const [, traceId = "", spanId] = traceparent?.split("-") ?? []
      assert.deepInclude(spans.find((span) => span.spanId === spanId), { name: "HttpSender.send", traceId })
    }
    const names = batches(collector.received, "/v1/metrics").flatMap(({ resourceMetrics }) =>
      resourceMetrics[0].scopeMetrics[0].metrics.map(({ name }: { readonly name: string }) => name)
    )
    assert.includeMembers(names, ["trailbook_http_request_duration_seconds", "trailbook_tasks_due"])
    for (const { text } of collector.received) assert.notMatch(text, /Ada|Lovelace|example\.com|Rafting/)
    assert.notInclude(collector.received.map(({ text }) => text).join(), token)
  }, 60_000)
})

describe("a server without a trace collector", () => {
  it("sends no trace to webhooks", async () => {
    const hook = await receive()
    const { post } = await start(undefined)
    await post("/webhooks", { url: `${hook.url}/hook` })
    await post("/offerings", { name: "Rafting", kind: "rental" })
    await vi.waitUntil(() => hook.received.length > 0, { timeout: 20_000 })
    assert.deepStrictEqual(hook.received.map(({ traceparent }) => traceparent), hook.received.map(() => undefined))
  }, 60_000)
})

describe("a call to another service", () => {
  /** Do not use the default tracer, whose spans are not sent anywhere. */
  const tracer = Tracer.make({
    context: (f) => f(),
    span: (...args) => Context.get(defaultServices, Tracer.Tracer).span(...args)
  })
  const parent = Tracer.externalSpan({ traceId, spanId: "00f067aa0ba902b7", sampled: true })
  const runTraced = <A>(call: Effect.Effect<A, unknown>) =>
    Effect.runPromiseExit(Effect.withTracer(Effect.withParentSpan(call, parent), tracer))

  it("passes the trace to weather services and language models", async () => {
    const { received, url } = await receive()
    const call = Effect.provide(
      Effect.flatMap(HttpClient.HttpClient, (client) => fetchJson(client, HttpClientRequest.get(url), 1000)),
      FetchHttpClient.layer
    )
    await runTraced(call)
    await Effect.runPromise(Effect.withParentSpan(call, parent))
    assert.deepStrictEqual(received.map(({ traceparent }) => traceparent?.slice(0, 35)), [`00-${traceId}`, undefined])
  })

  it("passes the trace to the payment provider", async () => {
    const { received, url } = await receive()
    const { account } = StripeProvider.make({ host: "127.0.0.1", port: Number(new URL(url).port), protocol: "http" })
    const call = account({ account: null, key: "sk_test_1", noticeSecret: null })
    await runTraced(call)
    await Effect.runPromiseExit(Effect.withParentSpan(call, parent))
    assert.deepStrictEqual(received.map(({ traceparent }) => traceparent?.slice(0, 35)), [`00-${traceId}`, undefined])
  })

  it("passes the trace in an email's header", async () => {
    const { arrived, close, port } = await postmaster()
    onTestFinished(close)
    const call = Effect.flatMap(Mailer, ({ send }) =>
      send({
        id: "0197a1b2-0000-7000-8000-000000000001",
        from: { name: "Pine River" },
        to: { name: "Ada", email: "ada@example.com" },
        replyTo: null,
        subject: "Your float",
        text: "Hi",
        html: "<p>Hi</p>",
        calendar: null,
        thread: null,
        automatic: "no",
        attachments: [],
        bounceToken: null
      })).pipe(
        Effect.provide(Smtp.layer({ url: Redacted.make(`smtp://127.0.0.1:${port}`), from: "bookings@pine.example" }))
      )
    await runTraced(call)
    await Effect.runPromise(Effect.withParentSpan(call, parent))
    assert.deepStrictEqual(
      arrived.map(({ raw }) => /^traceparent: (.{35})/im.exec(raw.toString())?.[1]),
      [`00-${traceId}`, undefined]
    )
  })
})
