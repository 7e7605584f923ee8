import type { Reply } from "@trailbook/http/response/Reply"

/** Redirects after a POST, so reloading the page does not submit the form again. */
export const redirectAfterPost = (address: string): Reply => ({
  status: 303,
  body: null,
  headers: { location: address }
})

/** Redirects to a page on this site with a GET request (303). */
export const seeOther = (location: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 303,
  body: null,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers }
})
