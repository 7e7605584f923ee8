/**
 * What a token is good for (RFC 8707): the address for assistants, and nothing else.
 * Clients write it with a last slash, or name the address that the service is below.
 *
 * @example
 * import { resourceIndicator } from "@trailbook/core/oauth/resourceIndicator"
 *
 * resourceIndicator("https://book.example.com", "https://book.example.com/mcp/") // "https://book.example.com/mcp"
 *
 * @category parsing
 */
export const resourceIndicator = (base: string, asked: string | undefined): string | undefined => {
  const resource = `${base}/mcp`
  if (asked === undefined) return resource
  const known = [resource, base, new URL(base).origin]
  return known.some((url) => asked === url || asked === `${url}/`) ? resource : undefined
}
