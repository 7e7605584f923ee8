import type { Data } from "./compactResult.ts"
import { renderText } from "./renderText.ts"

/**
 * The answer to a call. A success has its data once, and a text in words for
 * clients that show nothing else. A refusal is text alone: clients check the
 * data of every result against the schema of a success.
 */
export type ToolResult = {
  content: Array<{ type: "text"; text: string }>
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export const errorResult = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true })

export const successResult = (data: Data): ToolResult => ({
  content: [{ type: "text", text: renderText(data) }],
  structuredContent: data
})

/** What is too much to say in words is named by its sizes. */
export const summarizeSizes = (data: Data): ToolResult => ({
  content: [{
    type: "text",
    text: `${sizes(data)}. The complete result is in structuredContent only; list operations return smaller ` +
      "pages."
  }],
  structuredContent: data
})

const sizes = (data: Data): string =>
  Object.entries(data).map(([name, value]) => Array.isArray(value) ? `${value.length} ${name}` : name).join(", ")
