/**
 * A service with seeded IDs and a settable clock, called through its own HTTP handler. Two twins with the same seed
 * return the same responses to the same calls, over REST or MCP.
 */
import { ApiKeys } from "@trailbook/core/actor"
import { AssistantCalls } from "@trailbook/core/assistant"
import type { BatchOptions } from "@trailbook/core/booking"
import { coreLayer } from "@trailbook/core/layer"
import { type Operation, toToolName } from "@trailbook/core/operation/Operation"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Payments } from "@trailbook/core/payment"
import { type Proposal, ProposalStore } from "@trailbook/core/proposal"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Handler from "@trailbook/http/handler"
import { makeMcpMount } from "@trailbook/runtime/service/mcpMount"
import type { SettableClock } from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeDrafter, FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import type { Script } from "@trailbook/testkit/generator/script"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { proposalOf } from "../proposalOf.ts"

/** A response's data or its error. */
export type Answer = { readonly answer: unknown } | { readonly refused: { code: string; message: string } }

export type Call = (operation: Operation.Any, input: Readonly<Record<string, unknown>>) => Promise<Answer>

export interface Twin {
  readonly rest: Call
  readonly mcp: Call
  /** Sends a body as JSON text, for values that `JSON.stringify` cannot produce. */
  readonly restText: (operation: Operation.Any, path: string, body: string) => Promise<Answer>
  /** Lists the tools with their output schemas. */
  readonly list: () => Promise<ReadonlyArray<{ readonly name: string; readonly outputSchema: object }>>
  readonly mcpText: (operation: Operation.Any, input: string) => Promise<Answer>
  /** Adds an ops agent proposal, which no operation can create, and returns its ID. */
  readonly propose: (fields: Partial<Proposal>) => Promise<string>
}

export const open = (options: {
  readonly clock: SettableClock
  readonly batches: BatchOptions | "none"
  readonly orgId: string
  readonly script: Pick<Script, "timezone" | "plan">
  readonly seed: number
}): Effect.Effect<Twin, never, Storage | Scope.Scope> =>
  Effect.gen(function*() {
    const { clock, batches, orgId, script: { plan, timezone }, seed } = options
    const createdAt = Instant.make(clock.unsafeCurrentTimeMillis())
    const orgs = yield* OrgStore
    yield* orgs.put(Org.make({ id: orgId, name: "Twin", slug: `twin-${orgId}`, timezone, plan, createdAt }))
    const domain = yield* Layer.build(
      Layer.fresh(coreLayer({ batches })).pipe(
        Layer.provideMerge(
          Layer.mergeAll(
            TestIds.layer(seed),
            Payments.layerNone,
            FakeWebhookSender.layer,
            FakeSecrets.makeFakeSecretsLayer(),
            FakeDrafter.layer
          )
        ),
        Layer.provide(Layer.setClock(clock))
      )
    )
    return yield* Effect.gen(function*() {
      const { token } = yield* (yield* ApiKeys).create({ orgId, name: "test" })
      // Skip recording tool calls, because recording one consumes an ID, and calls over REST are not recorded.
      const mcp = yield* Effect.updateService(
        makeMcpMount(undefined),
        AssistantCalls,
        (calls) => ({ ...calls, note: () => Effect.void })
      )
      const handler = yield* Handler.make({ rateLimit: { perSecond: 0 }, mounts: [mcp] })
      const send = async (method: string, path: string, body: string | undefined) => {
        const response = await handler(
          new Request(`http://127.0.0.1${path}`, {
            method,
            headers: {
              authorization: `Bearer ${token}`,
              accept: "application/json, text/event-stream",
              ...(body === undefined ? {} : { "content-type": "application/json" })
            },
            ...(body === undefined ? {} : { body })
          })
        )
        return JSON.parse(await response.text())
      }
      const restText: Twin["restText"] = async ({ method }, path, body) => restAnswer(await send(method, path, body))
      const mcpText: Twin["mcpText"] = async (operation, input) =>
        mcpAnswer(
          await send(
            "POST",
            "/mcp",
            `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${
              toToolName(operation)
            }","arguments":${input}}}`
          )
        )
      const proposals = yield* ProposalStore
      let proposed = 0
      return {
        propose: async (fields) => {
          // The ID is unique to the story and the same in both twins.
          const id = `${toHex(seed, 8)}-0000-4000-8000-${toHex(++proposed, 12)}`
          const now = Instant.make(clock.unsafeCurrentTimeMillis())
          await Effect.runPromise(proposals.add(proposalOf(orgId, now, { id, ...fields })))
          return id
        },
        list: async () =>
          (await send("POST", "/mcp?list=all&schemas=full", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"))
            .result
            .tools,
        restText,
        mcpText,
        rest: (operation, input) => {
          const { body, path } = toRestRequest(operation, input)
          return restText(operation, path, body as string)
        },
        mcp: (operation, input) => mcpText(operation, JSON.stringify(input))
      } satisfies Twin
    }).pipe(Effect.provide(domain), Effect.withClock(clock))
  })

const toHex = (n: number, digits: number): string => n.toString(16).padStart(digits, "0")

/** Converts an input to a REST request: its path with the query, and its body. */
export const toRestRequest = ({ method, path }: Operation.Any, input: Readonly<Record<string, unknown>>) => {
  const rest = { ...input }
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (method !== "GET" && method !== "DELETE") return { path: `/v1${address}`, body: JSON.stringify(rest) }
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)])).toString()
  return { path: `/v1${address}${query === "" ? "" : `?${query}`}`, body: undefined }
}

interface WireError {
  readonly code: string
  readonly message: string
}

export const restAnswer = (body: { readonly error?: WireError | null }): Answer =>
  // A proposal also has a field `error`, but its value is not an object.
  typeof body.error !== "object" || body.error === null ? { answer: body } : { refused: body.error }

interface Result {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly text: string }>
  readonly structuredContent?: unknown
}

/** Converts an MCP response. An error's text contains its code, its message, and the next step on a separate line. */
export const mcpAnswer = ({ error, result }: { readonly error?: WireError; readonly result?: Result }): Answer => {
  if (result === undefined) return { refused: { code: String(error?.code), message: error?.message ?? "" } }
  const [text = ""] = result.content.map(({ text }) => text)
  if (result.isError !== true) return { answer: fromApi(result.structuredContent) }
  const [, code = "", message = ""] = /^(\w+): ([\s\S]*)\nNext: .*$/.exec(text) ?? []
  return { refused: { code, message } }
}

/** Replaces a change's source, the only value that must differ between REST and MCP. */
const fromApi = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromApi)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, saysWho.has(key) && inner === "mcp" ? "api" : fromApi(inner)])
  )
}

const saysWho = new Set(["source", "sent_by", "decided_by"])
