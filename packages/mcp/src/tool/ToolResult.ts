import type { Data } from "./compactResult.ts"
import { renderText } from "./renderText.ts"

/**
 * The result of a call. A success contains its data once, and a text for clients that only show text. An error only
 * contains text, because clients validate the data of every result against the success schema.
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

/** Summarizes data that is too long for text by its sizes. */
export const summarizeSizes = (data: Data): ToolResult => ({
  content: [{
    type: "text",
    text: `${sizes(data)}. The complete result is only in structuredContent. List operations return smaller ` +
      "pages."
  }],
  structuredContent: data
})

const sizes = (data: Data): string =>
  Object.entries(data).map(([name, value]) => Array.isArray(value) ? `${value.length} ${name}` : name).join(", ")
