/**
 * @since 0.1.0
 */

/**
 * The answer to a call. A success has its data twice, as data and as text, for
 * clients look at one or the other. A refusal is text alone: clients check the
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
 * The data first, so that a client that reads one text has it whole; lines to
 * read beside it after it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const succeeded = (output: Record<string, unknown>, lines: ReadonlyArray<string>): ToolResult => ({
  content: [dataText(output), ...lines].map((text) => ({ type: "text", text })),
  structuredContent: output
})

/** What a model reads at once has an end; some clients cut there, within a word. */
const maxCharacters = 200_000

const dataText = (output: Record<string, unknown>): string => {
  const text = JSON.stringify(output)
  return text.length <= maxCharacters
    ? text
    : `The answer has ${text.length} characters, too many to read as text: ${sizes(output)}. ` +
      "It is whole in structuredContent. Ask for less with limit, filters or the lists."
}

const sizes = (output: Record<string, unknown>): string =>
  Object.entries(output).map(([name, value]) => Array.isArray(value) ? `${value.length} ${name}` : name).join(", ")
