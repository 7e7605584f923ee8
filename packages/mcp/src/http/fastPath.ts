/**
 * Runs ordinary tool calls without the protocol libraries, for both protocol versions. The libraries create and close a
 * server, a transport, and a signal for each request, which costs several times as much as the operation itself. Nearly
 * every request is an ordinary call, and its response only wraps the tool's result.
 *
 * The fast path accepts only a subset of the requests that the libraries accept. The libraries handle all errors,
 * confirmations, retries, and unknown fields.
 */
import {
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS
} from "@modelcontextprotocol/server"
import type { Operation } from "@trailbook/core/operation/Operation"
import { makeServerInfo } from "../server/McpServerContext.ts"
import { isUnknownRecord, type UnknownRecord } from "../tool/compactResult.ts"
import { mayNeedPreview } from "../tool/confirmation.ts"
import type { ToolResult } from "../tool/ToolResult.ts"

export interface FastCall {
  readonly operation: Operation.Any
  readonly input: UnknownRecord
  /** Builds the response message for the call. */
  readonly answer: (result: ToolResult) => unknown
}

export interface Options {
  readonly find: (name: string) => Operation.Any | undefined
  readonly version: string
}

/** Parses an ordinary call, or returns `undefined` if the libraries must handle the request. */
export const make = ({ find, version }: Options): (request: Request, body: unknown) => FastCall | undefined => {
  const complete = { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: makeServerInfo({ version }) } }

  return ({ headers }, body) => {
    const call = parseCall(body)
    const operation = call && find(call.name)
    if (operation === undefined || call === undefined || headers.get("content-type") !== "application/json") return
    const { id, input, meta } = call
    const parsedCall = { operation, input }
    if (isLegacy(headers, meta)) {
      return { ...parsedCall, answer: (result) => ({ jsonrpc: "2.0", id, result }) }
    }
    // Leave destructive calls to the libraries, because they may need confirmation.
    if (mayNeedPreview(operation) || !isModern(headers, body, call.name)) return
    return { ...parsedCall, answer: (result) => ({ jsonrpc: "2.0", id, result: { ...result, ...complete } }) }
  }
}

interface Call {
  readonly id: string | number
  readonly name: string
  readonly input: UnknownRecord
  readonly meta: UnknownRecord
}

const parseCall = (body: unknown): Call | undefined => {
  if (!isUnknownRecord(body) || !hasOnly(body, messageFields)) return
  const { id, jsonrpc, method, params } = body
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isIdentifier(id)) return
  if (!isUnknownRecord(params) || !hasOnly(params, callFields)) return
  const { _meta: meta = {}, arguments: input = {}, name } = params
  return typeof name === "string" && isUnknownRecord(input) && isUnknownRecord(meta)
    ? { id, name, input, meta }
    : undefined
}

/**
 * Whether a request uses revision 2025-11-25 or an older one. Such a request has no envelope but must have the headers
 * that these revisions require.
 */
const isLegacy = (headers: Headers, meta: Call["meta"]): boolean => {
  if (PROTOCOL_VERSION_META_KEY in meta || RELATED_TASK_META_KEY in meta) return false
  if (meta.progressToken !== undefined && !isIdentifier(meta.progressToken)) return false
  const revision = headers.get("mcp-protocol-version")
  const accept = headers.get("accept") ?? ""
  return (revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) &&
    accept.includes("application/json") && accept.includes("text/event-stream")
}

/**
 * Whether a request uses a newer revision. The library checks only that the envelope matches the headers, so this
 * function also checks that the headers exist and that the name matches.
 */
const isModern = (headers: Headers, body: unknown, name: string): boolean => {
  const revision = headers.get("mcp-protocol-version")
  const method = headers.get("mcp-method")
  if (revision === null || method === null || headers.get("mcp-name") !== name) return false
  const route = classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: revision,
    mcpMethodHeader: method,
    mcpNameHeader: name,
    body
  })
  return route.kind === "modern" && route.messageKind === "request" && route.classification.revision === modernRevision
}

const modernRevision = "2026-07-28"

const messageFields: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"])
const callFields: ReadonlySet<string> = new Set(["name", "arguments", "_meta"])

const hasOnly = (record: object, names: ReadonlySet<string>): boolean => {
  for (const name in record) if (!names.has(name)) return false
  return true
}

const isIdentifier = (value: unknown): value is string | number =>
  typeof value === "string" || Number.isSafeInteger(value)
