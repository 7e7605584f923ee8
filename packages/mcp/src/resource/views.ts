/**
 * Shows tool results as web pages (MCP Apps, SEP-1865, revision 2026-01-26). A host that supports the extension reads a
 * tool's page once, shows it in a sandbox, and sends each result to the page. The currency is the only outfitter data
 * in a page.
 */
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsConfirm, bookingsCreate, bookingsGet, bookingsMove } from "@trailbook/core/booking"
import type { Operation } from "@trailbook/core/operation/Operation"
import { isUnknownRecord } from "../tool/compactResult.ts"

export const viewNames = ["availability", "booking", "departures", "proposal"] as const

export type ViewName = (typeof viewNames)[number]

/** Returns the HTML for a view. */
export type ViewRenderer = (name: ViewName, currency: string) => string

const viewOf: Readonly<Record<string, ViewName>> = {
  [availabilityGet.name]: "availability",
  [bookingsGet.name]: "booking",
  [bookingsCreate.name]: "booking",
  [bookingsConfirm.name]: "booking",
  [bookingsMove.name]: "booking",
  "schedule.get": "departures",
  "proposals.get": "proposal"
}

const scheme = "ui://trailbook/"

/** Returns the metadata that connects a tool to its view. */
export const getToolViewMetadata = ({ name }: Operation.Any) => {
  const view = viewOf[name]
  return view === undefined ? {} : { _meta: { ui: { resourceUri: `${scheme}${view}` } } }
}

export const parseViewUri = (uri: string): ViewName | undefined => viewNames.find((name) => uri === `${scheme}${name}`)

export const viewMimeType = "text/html;profile=mcp-app"

/** The host must block all network requests from a view. */
export const viewMeta = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: false
  }
}

/** Whether a client declares support for views. */
export const supportsViews = (capabilities: unknown): boolean => {
  const extensions = isUnknownRecord(capabilities) ? capabilities.extensions : undefined
  const extension = isUnknownRecord(extensions) ? extensions["io.modelcontextprotocol/ui"] : undefined
  return isUnknownRecord(extension) && Array.isArray(extension.mimeTypes) && extension.mimeTypes.includes(viewMimeType)
}
