/**
 * Serves all protocol revisions at a single stateless endpoint. The host authenticates each request and passes the
 * actor.
 */
import type { Actor, VisitorAccess } from "@trailbook/core/actor"
import type { AssistantCalls } from "@trailbook/core/assistant"
import type { Registry } from "@trailbook/core/operation"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Caller, type ConfirmationPolicy, toAssistantCaller } from "../Caller.ts"
import * as Guests from "../guest/guestHandlers.ts"
import * as Assistant from "../McpHandlers.ts"
import { normalizeArguments } from "../normalizeArguments.ts"
import { makeEffectRunner, type McpServerContext } from "../server/McpServerContext.ts"
import { explainErrorText } from "../server/toRpcError.ts"
import { isUnknownRecord } from "../tool/compactResult.ts"
import { fromUrl } from "../ToolFilter.ts"
import type * as PlainCall from "./fastPath.ts"

export interface McpRequest extends Pick<Caller, "limits"> {
  /** The actor, which is treated as an assistant regardless of its credential's purpose. */
  readonly actor: Actor["Type"]
  /** The parsed JSON body. */
  readonly body: unknown
  /** Called with the operation name, so that the host can log it. */
  readonly onOperation?: (name: string) => void
}

export type McpHandler = (request: Request, mcpRequest: McpRequest) => Effect.Effect<HttpResponse>

export interface Options extends Pick<Caller, "exportLink" | "views"> {
  /** The version of this program that clients see. */
  readonly version: string
  /** The default depends on the actor. */
  readonly confirmations?: ConfirmationPolicy | undefined
}

/** Creates a handler for the operations. */
export const make = (options: Options): Effect.Effect<McpHandler, never, AssistantCalls | Registry | VisitorAccess> =>
  Effect.flatMap(Assistant.make, (assistant) => makeLazyHandler(assistant, options))

/** Creates a handler for guests' assistants, which act as visitors. */
export const makeGuestHandler = (options: Options, publicUrl?: string): Effect.Effect<McpHandler, never, Registry> =>
  Effect.flatMap(Guests.make(publicUrl), (assistant) => makeLazyHandler(assistant, options))

/**
 * Creates a handler for the given tools, prompts, and resources. The libraries are loaded on the first request, so a
 * server without assistants never loads them. Ordinary calls run in their caller's fiber. The libraries handle all
 * other requests.
 */
export const makeLazyHandler = (assistant: Assistant.McpHandlers, options: Options): Effect.Effect<McpHandler> =>
  Effect.map(makeEffectRunner, (run) => {
    const { confirmations, exportLink, version, views } = options
    const { call, find } = assistant.tools
    const libraries = loadLibraries({ find, version })

    return (request, { actor, body: rawBody, limits, onOperation }) => {
      if (hasLongId(rawBody)) return Effect.succeed(rpcFailure(400, longId))
      const body = normalizeArguments(rawBody)
      const selection = fromUrl(request.url)
      if (typeof selection === "string") return Effect.succeed(rpcFailure(400, selection))
      const caller = toAssistantCaller({
        actor,
        toolFilter: selection,
        exportLink,
        views,
        ...(limits === undefined ? {} : { limits }),
        ...(confirmations === undefined ? {} : { confirmations })
      })
      const plainCall = libraries.plainCall(request, body)
      if (plainCall !== undefined) {
        const { answer, input, operation } = plainCall
        onOperation?.(operation.name)
        return Effect.map(call(caller, operation, input), (result) => makeJsonResponse(200, answer(result)))
      }
      return Effect.promise(async () => {
        const instructions = returnsInstructions(body)
          ? Either.merge(await run(assistant.instructions(caller)))
          : undefined
        const mcpContext: McpServerContext = { assistant, caller, instructions, run, version, onOperation }
        return readResponse(await libraries.handle(mcpContext, request, body))
      })
    }
  })

/**
 * Loads each library on the first request that uses its protocol version. The fast path is loaded together with the
 * second library.
 */
const loadLibraries = (options: PlainCall.Options) => {
  let plainCall: ReturnType<typeof PlainCall.make> | undefined
  const loadSdkV2 = async () => {
    const [{ makeHandler, isLegacyMcpRequest: isLegacy }, { make }] = await Promise.all([
      import("../server/sdkV2.ts"),
      import("./fastPath.ts")
    ])
    plainCall = make(options)
    return { handle: makeHandler(), isLegacy }
  }
  const loadSdkV1 = () => import("../server/sdkV1.ts")
  let sdkV1: ReturnType<typeof loadSdkV1> | undefined
  let sdkV2: ReturnType<typeof loadSdkV2> | undefined

  return {
    /** The fast path becomes available once the first request has been handled. */
    plainCall: (request: Request, body: unknown) => plainCall?.(request, body),
    handle: async (mcpContext: McpServerContext, request: Request, body: unknown): Promise<Response> => {
      sdkV2 ??= loadSdkV2()
      const { handle, isLegacy } = await sdkV2
      if (!await isLegacy(request, body)) return handle(mcpContext, request, body)
      sdkV1 ??= loadSdkV1()
      return (await sdkV1).handleRequest(mcpContext, request, body)
    }
  }
}

/**
 * Whether the response contains the instructions. Only `initialize` and `server/discover` return the instructions.
 * Other requests skip the database query that loads them.
 */
const returnsInstructions = (body: unknown): boolean =>
  isUnknownRecord(body) && (body.method === "initialize" || body.method === "server/discover")

/** Whether the message ID is too long. Its length is limited because the response echoes it. */
const hasLongId = (body: unknown): boolean =>
  isUnknownRecord(body) && typeof body.id === "string" && body.id.length > maxId

const maxId = 128

const longId = `A message ID must be at most ${maxId} characters long.`

const rpcFailure = (status: number, message: string): HttpResponse =>
  makeJsonResponse(status, { jsonrpc: "2.0", id: null, error: { code: -32_600, message } })

/**
 * An HTTP response with a text body. A `Response` would only cost another read, because every body is a small JSON text
 * that the caller reads in full.
 */
export interface HttpResponse {
  readonly status: number
  /** The body, or `null` for an empty response. */
  readonly body: string | null
  /** Headers, with lowercase names. Default: JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

export const makeJsonResponse = (status: number, value: unknown): HttpResponse => ({
  status,
  body: JSON.stringify(value)
})

/** Reads a protocol library's response and makes its error messages easier to understand. */
export const readResponse = async (response: Response): Promise<HttpResponse> => {
  const type = response.headers.get("content-type") ?? "application/json"
  const session = response.headers.get("mcp-session-id")
  return {
    status: response.status,
    body: response.body === null ? null : explainErrorText(await response.text()),
    ...(session !== null
      ? { headers: { "content-type": type, "mcp-session-id": session } }
      : type === "application/json"
      ? {}
      : { headers: { "content-type": type } })
  }
}
