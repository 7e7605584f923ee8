/**
 * Returns a function that detects state-changing requests from a page on another site. Browsers send headers that
 * identify the origin, so a request without these headers does not come from a page.
 */
export const makeIsCrossSite = (trustedUrls: ReadonlyArray<string | undefined>): (request: Request) => boolean => {
  const origins = new Set(trustedUrls.flatMap((address) => address === undefined ? [] : [new URL(address).origin]))
  return ({ headers, method, url }) => {
    if (method === "GET" || method === "HEAD") return false
    const origin = headers.get("origin")
    if (origin !== null && origins.has(origin)) return false
    const site = headers.get("sec-fetch-site")
    if (site !== null) return site !== "same-origin" && site !== "none"
    // Older browsers send only `Origin`, whose value is "null" for a page with an opaque origin.
    return origin !== null && hostOf(origin) !== (headers.get("host") ?? new URL(url).host)
  }
}

const hostOf = (origin: string): string | undefined => URL.canParse(origin) ? new URL(origin).host : undefined
