import { isData } from "./tool/compactResult.ts"

/**
 * Removes `null` arguments. Some clients send `null` for a tool without arguments, and the libraries reject it with an
 * unhelpful error.
 */
export const normalizeArguments = <Message>(message: Message): Message => {
  if (!isData(message) || !isData(message.params) || message.method !== "tools/call") return message
  const { arguments: given, ...params } = message.params
  return given === null ? { ...message, params } : message
}
