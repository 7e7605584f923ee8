import type { Reply } from "@trailbook/http/response/Reply"

/** Redirects to a page on this site with a GET request (303). */
export const seeOther = (location: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 303,
  body: null,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers }
})
