/** Serves revisions up to 2025-11-25 with version 1 of the SDK. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema
} from "@modelcontextprotocol/sdk/types.js"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv"
import type { Refusal } from "@trailbook/core"
import type * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { supportsViews } from "../resource/views.ts"
import { isUnknownRecord } from "../tool/compactResult.ts"
import { makeCapabilities, makeServerInfo, type McpServerContext } from "./McpServerContext.ts"
import { makeUnknownToolError, type RpcError, toRpcError } from "./toRpcError.ts"

/**
 * Handles each request with its own server. No state is kept between requests, so any process can handle the next
 * request. The response is always JSON and never a stream.
 *
 * A client declares its support for views only once, when it connects. The declaration is encoded in the session ID
 * that the client then sends with every request. The session ID has no other meaning.
 */
export const handleRequest = async (
  mcpContext: McpServerContext,
  request: Request,
  parsedBody: unknown
): Promise<Response> => {
  const { caller } = mcpContext
  const isViewer = request.headers.get(sessionHeader)?.startsWith(viewerPrefix) === true
  const server = make({ ...mcpContext, caller: isViewer ? caller : { ...caller, views: undefined } })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(request, { parsedBody })
    if (caller.views !== undefined && connectsViewer(parsedBody)) {
      response.headers.set(sessionHeader, `${viewerPrefix}${randomUUID()}`)
    }
    return response
  } finally {
    await server.close()
  }
}

const sessionHeader = "mcp-session-id"

const viewerPrefix = "views-"

const connectsViewer = (body: unknown): boolean =>
  isUnknownRecord(body) && body.method === "initialize" && isUnknownRecord(body.params) &&
  supportsViews(body.params.capabilities)

// Share the validator, because compiling one for each server would cost more than most calls.
const jsonSchemaValidator = new AjvJsonSchemaValidator()

const make = (mcpContext: McpServerContext): Server => {
  const { assistant: { complete, prompts, resources, tools }, caller, instructions, onOperation, run } = mcpContext
  const server = new Server(makeServerInfo(mcpContext), {
    capabilities: makeCapabilities({}),
    jsonSchemaValidator,
    ...(instructions === undefined ? {} : { instructions })
  })
  const runOrThrow = async <A>(
    effect: Effect.Effect<A, Refusal>,
    toCode = (error: RpcError) => error.code
  ): Promise<A> => {
    const result = await run(effect)
    if (result._tag === "Right") return result.right
    const error = toRpcError(result.left)
    throw toError({ ...error, code: toCode(error) })
  }

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.list(caller) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { arguments: input = {}, name } }) => {
    const operation = tools.find(name)
    if (operation === undefined) throw toError(makeUnknownToolError(name))
    onOperation?.(operation.name)
    return runOrThrow(tools.call(caller, operation, input))
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resources.list(caller) }))
  server.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    () => ({ resourceTemplates: resources.templates(caller) })
  )
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [
      await runOrThrow(
        resources.read(caller, uri),
        ({ code, data }) => data.code === "not_found" ? resourceNotFoundCode : code
      )
    ]
  }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: prompts.list(caller) }))
  server.setRequestHandler(
    GetPromptRequestSchema,
    ({ params: { arguments: input = {}, name } }) => runOrThrow(prompts.get(caller, name, input))
  )
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) => ({
    completion: await runOrThrow(complete(caller, params))
  }))
  return server
}

/**
 * Creates a plain error, because the SDK's error class adds the code to the message, and clients then add it again.
 */
const toError = ({ message, ...details }: RpcError): Error => Object.assign(new Error(message), details)

/** The error code for an unknown resource in these revisions. */
const resourceNotFoundCode = -32_002
