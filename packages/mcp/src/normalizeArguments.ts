import { isUnknownRecord } from "./tool/compactResult.ts"

/**
 * Removes `null` arguments. Some clients send `null` for a tool without arguments, which the libraries reject with an
 * unhelpful error.
 */
export const normalizeArguments = <Message>(message: Message): Message => {
  if (!isUnknownRecord(message) || !isUnknownRecord(message.params) || message.method !== "tools/call") return message
  const { arguments: input, ...params } = message.params
  return input === null ? { ...message, params } : message
}
