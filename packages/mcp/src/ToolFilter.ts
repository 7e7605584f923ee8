/**
 * Selects the tools of a client. Each listed tool uses context in every conversation, and some clients accept at most
 * forty tools. The filter is part of the URL, because every client lets its user edit it.
 */
import { isReadOnly, type Operation, type Toolset, toolsets } from "@trailbook/core/operation/Operation"

export interface ToolFilter {
  readonly toolsets: ReadonlySet<Toolset>
  /** Only tools that are read-only and do not export all data. */
  readonly readOnly: boolean
  /** Whether tools also publish the schemas of their results, which triples the size of the list. */
  readonly schemas: "lean" | "full"
}

/** Every tool, without result schemas. */
export const allTools: ToolFilter = { toolsets: new Set(toolsets), readOnly: false, schemas: "lean" }

/** Parses `toolsets=bookings,catalog&readonly=1&schemas=full`. Returns a text if it is invalid. */
export const fromQuery = (query: URLSearchParams): ToolFilter | string => {
  for (const name of query.keys()) {
    if (!Object.hasOwn(readers, name)) {
      return `${name}: is not a parameter of this URL. Its parameters are toolsets, readonly, and schemas. ` +
        "Send the key only in the Authorization header."
    }
    if (query.getAll(name).length > 1) return `${name}: is given more than once`
  }
  const changes: Array<Partial<ToolFilter>> = []
  for (const [name, read] of Object.entries(readers)) {
    const text = query.get(name)
    const change = text === null ? {} : read(text)
    if (typeof change === "string") return `${name}: ${change}`
    changes.push(change)
  }
  return Object.assign({}, allTools, ...changes)
}

const readers: Record<string, (text: string) => Partial<ToolFilter> | string> = {
  toolsets: (text) => {
    const asked = text.split(",").map((part) => part.trim())
    const found = toolsets.filter((known) => asked.includes(known))
    return found.length === new Set(asked).size
      ? { toolsets: new Set(found) }
      : `must be a comma-separated list of ${toolsets.join(", ")}`
  },
  readonly: (text) =>
    text === "1" || text === "true"
      ? { readOnly: true }
      : text === "0" || text === "false"
      ? { readOnly: false }
      : "must be 1 or 0",
  schemas: (text) => text === "lean" || text === "full" ? { schemas: text } : "must be lean or full"
}

/** Whether the filter includes the tool of an operation. */
export const includesTool = (
  selection: ToolFilter,
  operation: Pick<Operation.Any, "hints" | "tool" | "method" | "scope">
): boolean =>
  selection.toolsets.has(operation.tool.toolset) &&
  (!selection.readOnly || (isReadOnly(operation) && operation.hints.discloses !== true))
