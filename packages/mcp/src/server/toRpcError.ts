/** JSON-RPC errors: for refusals outside tool calls, and for parameters that the protocol libraries reject. */
import { type Refusal, truncateText } from "@trailbook/core"
import { isUnknownRecord } from "../tool/compactResult.ts"

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: { readonly code: string }
}

const invalidParams = -32_602
const internalError = -32_603

export const toRpcError = ({ code, kind, message }: Refusal): RpcError => ({
  code: kind === "invalid" || kind === "not_found" ? invalidParams : internalError,
  message,
  data: { code }
})

export const makeUnknownToolError = (name: string): RpcError => ({
  code: invalidParams,
  message: `Unknown tool: ${truncateText(name)}`,
  data: { code: "not_found" }
})

/**
 * Replaces a validator's report with one sentence about the first invalid parameter, and sets the code for invalid
 * parameters. The protocol libraries put their validator's entire report into the message, usually with the code for
 * internal errors. Other messages are unchanged.
 */
export const explainError = <Message>(message: Message): Message => {
  if (!isUnknownRecord(message) || !isUnknownRecord(message.error) || typeof message.error.message !== "string") {
    return message
  }
  const issue = firstIssue(message.error.message)
  return issue === undefined ? message : { ...message, error: { code: invalidParams, message: sentence(issue) } }
}

/** Like {@link explainError}, but for a serialized message. */
export const explainErrorText = (text: string): string =>
  // Search only the start of the message, because results are long and far more common than errors.
  text.slice(0, 200).includes("\"error\"") ? JSON.stringify(explainError(JSON.parse(text))) : text

interface Issue {
  readonly path: ReadonlyArray<unknown>
  readonly message: string
  readonly expected?: unknown
}

const firstIssue = (message: string): Issue | undefined => {
  const start = message.indexOf("[\n")
  if (start < 0 || !/^(?:Invalid [\w/]+ request: )?$/.test(message.slice(0, start))) return undefined
  try {
    const [issue]: ReadonlyArray<unknown> = JSON.parse(message.slice(start))
    return isUnknownRecord(issue) && Array.isArray(issue.path) && typeof issue.message === "string"
      ? { path: issue.path, message: issue.message, expected: issue.expected }
      : undefined
  } catch {
    return undefined
  }
}

const sentence = ({ expected, message, path }: Issue): string => {
  const [first, ...rest] = path.map((part) => String(part).slice(0, shownAtMost))
  const name = (first === "params" && rest.length > 0 ? rest : [first ?? "params", ...rest]).join(".")
  if (message.endsWith("received undefined")) return `${name}: is missing`
  const type = typeof expected === "string" ? types[expected] : undefined
  return `${name}: ${type === undefined ? "is not valid" : `must be ${type}`}`
}

const types: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string"
}

/**
 * The maximum length of a parameter name in a message. The name comes from the request and can be as long as the body.
 */
const shownAtMost = 100
