import { isData } from "./tool/compactResult.ts"

/**
 * Replaces `null` arguments by none. Some clients send `null` for a tool without arguments, and the libraries reject it
 * without a helpful error.
 */
export const normalizeArguments = <Message>(message: Message): Message => {
  if (!isData(message) || !isData(message.params) || message.method !== "tools/call") return message
  const { arguments: given, ...params } = message.params
  return given === null ? { ...message, params } : message
}
