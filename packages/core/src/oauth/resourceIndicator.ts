/**
 * The resource of a token (RFC 8707): only the MCP endpoint. Clients may add a trailing slash, or send the base URL of
 * the service. Returns undefined for other resources.
 *
 * @example
 * import { resourceIndicator } from "@trailbook/core/oauth/resourceIndicator"
 *
 * resourceIndicator("https://book.example.com", "https://book.example.com/mcp/") // "https://book.example.com/mcp"
 */
export const resourceIndicator = (base: string, asked: string | undefined): string | undefined => {
  const resource = `${base}/mcp`
  if (asked === undefined) return resource
  const known = [resource, base, new URL(base).origin]
  return known.some((url) => asked === url || asked === `${url}/`) ? resource : undefined
}
