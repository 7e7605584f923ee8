/**
 * @since 0.1.0
 */
import type { Data } from "./compact.ts"
import { lines } from "./lines.ts"

/**
 * The answer to a call. A success has its data once, and a text in words for
 * clients that show nothing else. A refusal is text alone: clients check the
 * data of every result against the schema of a success.
 *
 * @since 0.1.0
 * @category models
 */
export type ToolResult = {
  content: Array<{ type: "text"; text: string }>
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const failed = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true })

/**
 * @since 0.1.0
 * @category constructors
 */
export const succeeded = (data: Data): ToolResult => ({
  content: [{ type: "text", text: lines(data) }],
  structuredContent: data
})

/**
 * What is too much to say in words is named by its sizes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const weighed = (data: Data): ToolResult => ({
  content: [{
    type: "text",
    text: `${sizes(data)}. All of it is in structuredContent alone; the lists say less at once.`
  }],
  structuredContent: data
})

const sizes = (data: Data): string =>
  Object.entries(data).map(([name, value]) => Array.isArray(value) ? `${value.length} ${name}` : name).join(", ")
