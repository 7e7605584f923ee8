import { type Refusal, refuse } from "@trailbook/core"
import { type Actor, isPermitted, type VisitorAccess } from "@trailbook/core/actor"
import { AssistantCalls, ExportLinks } from "@trailbook/core/assistant"
import { Registry } from "@trailbook/core/operation"
import { defaultMaxBodyBytes, type Operation, toToolName } from "@trailbook/core/operation/Operation"
import * as Instant from "@trailbook/core/time/Instant"
import { HttpFailure } from "@trailbook/http/HttpFailure"
import { maxEnvelopeBytes, type Mount, type MountTokenVerifier } from "@trailbook/http/Mount"
import { checkFieldNames, listMembers } from "@trailbook/http/request/body"
import { refuseTooLarge } from "@trailbook/http/request/readBytes"
import * as Reply from "@trailbook/http/response/Reply"
import type { ConfirmationPolicy, ExportLinkCreator } from "@trailbook/mcp/Caller"
import * as AccessGuard from "@trailbook/mcp/http/accessGuard"
import type * as Mcp from "@trailbook/mcp/http/handler"
import type { GuestAssistantEndpoint } from "@trailbook/web/book/assistant"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { readVersion } from "../readVersion.ts"

/**
 * Returns the MCP endpoint. It accepts API keys and, if `tokens` is given, OAuth access tokens from an authorization
 * server with the same origin. With `exportLink`, assistants receive links instead of exports. The first request loads
 * the MCP code.
 */
export const makeMcpMount = (
  publicUrl: string | undefined,
  tokens?: MountTokenVerifier,
  confirmations?: ConfirmationPolicy,
  exportLink?: ExportLinkCreator
): Effect.Effect<Mount, never, AssistantCalls | Registry | VisitorAccess> =>
  Effect.gen(function*() {
    const { operations } = yield* Registry
    const { note } = yield* AssistantCalls
    const guard = AccessGuard.make(publicUrl, { oauth: tokens !== undefined })
    const byTool = new Map(operations.map((operation) => [toToolName(operation), operation]))
    const handle = yield* lazyHandler(({ make }) =>
      Effect.flatMap(
        Effect.promise(() => import("@trailbook/web/assistant/renderResultView")),
        ({ renderResultView: views }) => make({ version: readVersion(), confirmations, exportLink, views })
      )
    )

    /**
     * Returns an OAuth challenge if an OAuth client lacks a scope, so that the client can request it. A tool error
     * would not let it do that.
     */
    const refuseMissingScope = (request: Request, actor: Actor["Type"], body: unknown) => {
      const tool = actor._tag === "Application" ? findToolName(body) : undefined
      const operation = tool === undefined ? undefined : byTool.get(tool)
      if (operation === undefined || isPermitted(actor, operation)) return
      const reply = Reply.fromError(refuse("forbidden", operation.name, operation.scope))
      const scope = [...actor.scopes, operation.scope].join(" ")
      const challenge = `${withoutScope(guard.challenge(request))}, error="insufficient_scope", scope="${scope}"`
      return Effect.as(
        note(actor, { operation: operation.name, outcome: "forbidden", bookingId: null }),
        { ...reply, status: 403, headers: { ...reply.headers, "www-authenticate": challenge } }
      )
    }

    return {
      path: AccessGuard.endpointPath,
      refuse: (request) => {
        const refusal = guard.refuse(request)
        return refusal && new HttpFailure({ code: codeByStatus[refusal.status], message: refusal.message })
      },
      challenge: guard.challenge,
      check: (text) => checkMessage(text, byTool),
      ...(tokens === undefined ? {} : { tokens }),
      answer: (request, mcpRequest) =>
        refuseMissingScope(request, mcpRequest.actor, mcpRequest.body) ?? handle(request, mcpRequest),
      documents: Object.fromEntries(AccessGuard.metadataPaths.map((path) => [path, guard.metadata]))
    }
  })

/** Creates export links for a server that serves the `exportDownloadRoute`. */
export const makeExportLinkCreator = (
  publicUrl: string | undefined
): Effect.Effect<ExportLinkCreator | undefined, never, ExportLinks> =>
  Effect.map(ExportLinks, ({ create }) =>
    publicUrl === undefined ? undefined : (actor) =>
      Effect.map(
        create(actor),
        ({ expiresAt, path }) => ({ url: publicUrl + path, expires_at: Instant.format(expiresAt) })
      ))

/** Serves guests' assistants on a booking page. */
export const makeGuestAssistant = (
  publicUrl: string | undefined
): Effect.Effect<GuestAssistantEndpoint, never, Registry> =>
  Effect.map(
    lazyHandler(({ makeGuestHandler: makeForGuests }) => makeForGuests({ version: readVersion() }, publicUrl)),
    (handle) => ({ version: readVersion(), answer: handle })
  )

/** Loads the MCP code on the first request. */
const lazyHandler = <R>(
  make: (module: typeof Mcp) => Effect.Effect<Mcp.McpHandler, never, R>
): Effect.Effect<Mcp.McpHandler, never, R> =>
  Effect.map(Effect.runtime<R>(), (runtime): Mcp.McpHandler => {
    let handler: Mcp.McpHandler | undefined
    let loading: Promise<Mcp.McpHandler> | undefined
    const load = async (): Promise<Mcp.McpHandler> => {
      handler = await Runtime.runPromise(runtime, make(await import("@trailbook/mcp/http/handler")))
      return handler
    }
    return (request, mcpRequest) => {
      if (handler !== undefined) return handler(request, mcpRequest)
      const promise = loading ??= load()
      return Effect.flatMap(Effect.promise(() => promise), (handler) => handler(request, mcpRequest))
    }
  })

/**
 * Applies an operation's limits to a large message. Unknown names are refused before the message is parsed. Only a call
 * to an operation with a larger limit may exceed the ordinary limit.
 */
const checkMessage = (text: string, byTool: ReadonlyMap<string, Operation.Any>): Refusal | undefined => {
  const refusal = checkFieldNames(text, messageFields)
  if (refusal !== undefined) return refusal
  const params = new Map(listMembers(new Map(listMembers(text)).get("params") ?? ""))
  const operation = byTool.get(params.get("name")?.trim().slice(1, -1) ?? "")
  const maxBytes = (operation?.maxBodyBytes ?? defaultMaxBodyBytes) + maxEnvelopeBytes
  if (Buffer.byteLength(text) > maxBytes) return refuseTooLarge(maxBytes)
  return operation && checkFieldNames(params.get("arguments") ?? "", [
    ...Object.keys(operation.input.fields),
    "preview",
    "preview_token"
  ])
}

const messageFields = ["jsonrpc", "id", "method", "params", "result", "error"]

const codeByStatus = { 400: "invalid_request", 403: "forbidden" } as const

const withoutScope = (challenge: string): string => challenge.replace(/, scope="[^"]*"/, "")

const findToolName = (body: unknown): string | undefined => {
  if (typeof body !== "object" || body === null || !("method" in body) || body.method !== "tools/call") return
  const { params } = body as { readonly params?: unknown }
  return typeof params === "object" && params !== null && "name" in params && typeof params.name === "string"
    ? params.name
    : undefined
}
