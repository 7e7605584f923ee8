/**
 * Selects the tools that a client lists. Each listed tool takes up context in every conversation, and some clients
 * accept no more than 40 tools. The filter is part of the URL, because users can edit the URL in every client.
 */
import { isReadOnly, type Operation, type Toolset, toolsets } from "@trailbook/core/operation/Operation"
import type { Caller } from "./Caller.ts"

export interface ToolFilter {
  readonly toolsets: ReadonlySet<Toolset>
  /** Whether the filter includes only read-only tools. If so, it also excludes tools that export all data. */
  readonly readOnly: boolean
  /** With `full`, tools also publish the schemas of their results, which makes the list 7 times as long. */
  readonly schemas: "lean" | "full"
  /**
   * Default: `short` for applications that a staff member has authorized. Other callers get all tools except the rare
   * ones and those for reports and discounts.
   */
  readonly list?: "short" | "all"
}

/** Every tool, without result schemas. */
export const allTools: ToolFilter = { toolsets: new Set(toolsets), readOnly: false, schemas: "lean" }

/**
 * Parses a URL with a query such as `toolsets=bookings,catalog&readonly=1&schemas=full`, or returns an error message if
 * the query is invalid.
 */
export const fromUrl = (url: string): ToolFilter | string =>
  url.includes("?") ? fromQuery(new URL(url).searchParams) : allTools

const fromQuery = (query: URLSearchParams): ToolFilter | string => {
  for (const name of query.keys()) {
    if (!Object.hasOwn(parsers, name)) {
      return `${name}: is not a parameter of this URL. Valid parameters are toolsets, list, readonly, and schemas. ` +
        "Send the key only in the Authorization header."
    }
    if (query.getAll(name).length > 1) return `${name}: appears more than once`
  }
  const changes: Array<Partial<ToolFilter>> = []
  for (const [name, parse] of Object.entries(parsers)) {
    const text = query.get(name)
    const change = text === null ? {} : parse(text)
    if (typeof change === "string") return `${name}: ${change}`
    changes.push(change)
  }
  return Object.assign({}, allTools, ...changes)
}

const parsers: Record<string, (text: string) => Partial<ToolFilter> | string> = {
  toolsets: (text) => {
    const names = text.split(",").map((part) => part.trim())
    const matches = toolsets.filter((toolset) => names.includes(toolset))
    return matches.length === new Set(names).size
      ? { toolsets: new Set(matches), list: "all" }
      : `must be a comma-separated list of ${toolsets.join(", ")}`
  },
  list: (text) => text === "short" || text === "all" ? { list: text } : "must be short or all",
  readonly: (text) =>
    text === "1" || text === "true"
      ? { readOnly: true }
      : text === "0" || text === "false"
      ? { readOnly: false }
      : "must be 1 or 0",
  schemas: (text) => text === "lean" || text === "full" ? { schemas: text } : "must be lean or full"
}

/** Whether the filter includes an operation's tool. */
export const includesTool = (
  selection: ToolFilter,
  operation: Pick<Operation.Any, "hints" | "tool" | "method" | "scope">
): boolean =>
  selection.toolsets.has(operation.tool.toolset) &&
  (!selection.readOnly || (isReadOnly(operation) && operation.hints.discloses !== true))

/**
 * The tools that most conversations need. `tools_load` returns the other tools, which can also be called without being
 * listed.
 */
const shortList: ReadonlySet<string> = new Set([
  "desk.find",
  "schedule.get",
  "availability.explain",
  "tools.load",
  "availability.get",
  "bookings.list",
  "bookings.get",
  "bookings.quote",
  "bookings.create",
  "bookings.confirm",
  "bookings.move",
  "bookings.cancel",
  "bookings.check_in",
  "customers.get",
  "payments.record",
  "conversations.list",
  "conversations.get",
  "messages.send",
  "offerings.list",
  "sessions.create",
  "sessions.update",
  "sessions.cancel",
  "proposals.list",
  "proposals.get",
  "proposals.approve"
])

/** Whether the caller gets the short list. */
export const usesShortToolList = ({ actor, toolFilter }: Caller): boolean =>
  (toolFilter.list ?? (actor._tag === "Application" ? "short" : "all")) === "short"

/** Rarely needed tools, except those for reports and discounts. A result names such a tool when it is the next step. */
const rareTools: ReadonlySet<string> = new Set([
  "assistants.activity",
  "offerings.set_photos",
  "bookings.restore",
  "forecast.get",
  "payments.request",
  "sessions.cancel_many"
])

/**
 * Whether the caller's list contains the tool. Only a short list contains `tools_load`. Rare tools are listed only if
 * the client requests all tools.
 */
export const isToolListed = (caller: Caller, name: string): boolean =>
  usesShortToolList(caller)
    ? shortList.has(name)
    : name !== "tools.load" &&
      (caller.toolFilter.list === "all" || !(/^(reports|discounts)\./.test(name) || rareTools.has(name)))
