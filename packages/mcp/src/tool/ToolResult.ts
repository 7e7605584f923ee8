import type { Data } from "./compactResult.ts"
import { renderText } from "./renderText.ts"

/** The result of a call: the data, and text with the same facts for clients that show only text. */
export type ToolResult = {
  content: Array<{ type: "text"; text: string }>
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** The data for an error. `resultSchema` includes these fields, because clients validate every result. */
export type ErrorData = {
  code: string
  message: string
  /** The invalid field. */
  field?: string
  /** The next step. */
  fix: string
  /** Whether the same request can succeed if it is sent again later. */
  retryable: boolean
}

export const errorResult = (error: ErrorData): ToolResult => ({
  content: [{ type: "text", text: `${error.code}: ${error.message}\nNext: ${error.fix}` }],
  structuredContent: error,
  isError: true
})

export const successResult = (data: Data): ToolResult => ({
  content: [{ type: "text", text: renderText(data) }],
  structuredContent: data
})

/** Returns data that is too long to render as text, along with text that contains only its sizes. */
export const summarizeSizes = (data: Data): ToolResult => ({
  content: [{
    type: "text",
    text: `${sizes(data)}. The complete result is only in structuredContent, because this connection does not ` +
      "support download links. List operations return smaller pages."
  }],
  structuredContent: data
})

const sizes = (data: Data): string =>
  Object.entries(data).map(([name, value]) => Array.isArray(value) ? `${value.length} ${name}` : name).join(", ")
