import { isData } from "./tool/compactResult.ts"

/**
 * A call whose arguments are `null` is one without arguments: some clients send
 * that for a tool that needs none, and the libraries refuse it without a word
 * that would help.
 */
export const normalizeArguments = <Message>(message: Message): Message => {
  if (!isData(message) || !isData(message.params) || message.method !== "tools/call") return message
  const { arguments: given, ...params } = message.params
  return given === null ? { ...message, params } : message
}
