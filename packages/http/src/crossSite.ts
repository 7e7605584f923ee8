/**
 * Whether a page of another site makes a browser send a request that changes
 * something. Browsers say where a request comes from; what says nothing is no
 * page.
 */
export const crossSite = (trusted: ReadonlyArray<string | undefined>): (request: Request) => boolean => {
  const origins = new Set(trusted.flatMap((address) => address === undefined ? [] : [new URL(address).origin]))
  return ({ headers, method, url }) => {
    if (method === "GET" || method === "HEAD") return false
    const origin = headers.get("origin")
    if (origin !== null && origins.has(origin)) return false
    const site = headers.get("sec-fetch-site")
    if (site !== null) return site !== "same-origin" && site !== "none"
    // Older browsers. A page without an origin of its own says "null".
    return origin !== null && hostOf(origin) !== (headers.get("host") ?? new URL(url).host)
  }
}

const hostOf = (origin: string): string | undefined => URL.canParse(origin) ? new URL(origin).host : undefined
