/** Serves revision 2026-07-28 over HTTP and every revision over stdio, with version 2 of the SDK. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createMcpHandler,
  inputRequired,
  inputResponse,
  isLegacyRequest,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  type ServerContext
} from "@modelcontextprotocol/server"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import type { Refusal } from "@trailbook/core"
import type * as Effect from "effect/Effect"
import { supportsViews } from "../resource/views.ts"
import { declinedResult } from "../tool/confirmation.ts"
import { makeCapabilities, makeServerInfo, type McpServerContext } from "./McpServerContext.ts"
import { makeUnknownToolError, type RpcError, toRpcError } from "./toRpcError.ts"

/** Whether a request uses a revision older than 2026-07-28. */
export const isLegacyMcpRequest = (request: Request, parsedBody: unknown): Promise<boolean> =>
  isLegacyRequest(request, parsedBody)

/** Creates a handler for single requests. The handler is created once, and each request gets its own server. */
export const makeHandler = (): (
  mcpContext: McpServerContext,
  request: Request,
  parsedBody: unknown
) => Promise<Response> => {
  const contexts = new WeakMap<Request, McpServerContext>()
  const { fetch } = createMcpHandler(({ requestInfo }) => {
    const mcpContext = requestInfo === undefined ? undefined : contexts.get(requestInfo)
    if (mcpContext === undefined) throw new Error("Invariant violated: request without a caller")
    return make(mcpContext)
  }, { legacy: "reject" })
  return (mcpContext, request, parsedBody) => {
    contexts.set(request, mcpContext)
    return fetch(request, { parsedBody })
  }
}

const jsonSchemaValidator = new AjvJsonSchemaValidator()

const minutes = 60_000
const listHints = { ttlMs: 5 * minutes, cacheScope: "private" } as const
const cacheHints = {
  "tools/list": listHints,
  "prompts/list": listHints,
  "resources/list": listHints,
  "resources/templates/list": listHints,
  "server/discover": listHints
}

export const make = (mcpContext: McpServerContext): Server => {
  const { assistant, caller, instructions, onOperation, run, subscribe } = mcpContext
  const { complete, prompts, question, resources, tools } = assistant
  const server = new Server(makeServerInfo(mcpContext), {
    capabilities: makeCapabilities(mcpContext),
    cacheHints,
    jsonSchemaValidator,
    ...(instructions === undefined ? {} : { instructions })
  })
  const runOrThrow = async <A>(effect: Effect.Effect<A, Refusal>): Promise<A> => {
    const result = await run(effect)
    if (result._tag === "Right") return result.right
    throw toProtocolError(toRpcError(result.left))
  }

  const resolveCaller = (context: ServerContext) =>
    supportsViews(getCapabilities(server, context)) ? caller : { ...caller, views: undefined }

  server.setRequestHandler("tools/list", (_, context) => ({ tools: tools.list(resolveCaller(context)) }))
  server.setRequestHandler("tools/call", async ({ params: { arguments: input = {}, name } }, context) => {
    const operation = tools.find(name)
    if (operation === undefined) throw toProtocolError(makeUnknownToolError(name))
    onOperation?.(operation.name)
    const confirmation = inputResponse(context.mcpReq.inputResponses, "confirm")
    if (confirmation.kind === "elicit") {
      return confirmation.action === "accept"
        ? runOrThrow(tools.call(caller, operation, input, true))
        : declinedResult
    }
    const prompt = supportsForms(server, context) ? await runOrThrow(question(caller, operation, input)) : undefined
    return prompt === undefined ? runOrThrow(tools.call(caller, operation, input)) : requestConfirmation(prompt)
  })
  server.setRequestHandler("resources/list", () => ({ resources: resources.list(caller) }))
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: resources.templates(caller) }))
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const result = await run(resources.read(resolveCaller(context), uri))
    if (result._tag === "Right") return { contents: [result.right] }
    throw result.left.kind === "not_found"
      ? new ResourceNotFoundError(uri, result.left.message)
      : toProtocolError(toRpcError(result.left))
  })
  if (subscribe !== undefined) {
    const makeSubscriptionHandler =
      (isSubscribed: boolean) => async ({ params: { uri } }: { readonly params: { readonly uri: string } }) => {
        await runOrThrow(subscribe(uri, isSubscribed))
        return {}
      }
    server.setRequestHandler("resources/subscribe", makeSubscriptionHandler(true))
    server.setRequestHandler("resources/unsubscribe", makeSubscriptionHandler(false))
  }
  server.setRequestHandler("prompts/list", () => ({ prompts: prompts.list(caller) }))
  server.setRequestHandler(
    "prompts/get",
    ({ params: { arguments: input = {}, name } }) => runOrThrow(prompts.get(caller, name, input))
  )
  server.setRequestHandler("completion/complete", async ({ params }) => ({
    completion: await runOrThrow(complete(caller, params))
  }))
  return server
}

const toProtocolError = ({ code, data, message }: RpcError) => new ProtocolError(code, message, data)

/**
 * Returns the client's capabilities. In older revisions, the client declares them when it connects. In newer revisions,
 * it declares them in each request.
 */
const getCapabilities = (server: Server, { mcpReq: { envelope } }: ServerContext): ClientCapabilities | undefined => {
  // The SDK has validated the envelope but does not export a type for it.
  const requestCapabilities = envelope &&
    Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY) as ClientCapabilities | undefined
  return requestCapabilities ?? server.getClientCapabilities()
}

/** Whether the client supports form elicitation. */
const supportsForms = (server: Server, context: ServerContext): boolean => {
  const elicitation = getCapabilities(server, context)?.elicitation
  // A client that declares no mode supports forms, but a client can also declare that it supports only the URL mode.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** Asks for a confirmation. The client then repeats the call with the user's answer, so the server keeps no state. */
const requestConfirmation = (message: string) =>
  inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({ message, requestedSchema: { type: "object", properties: {} } })
    }
  })
