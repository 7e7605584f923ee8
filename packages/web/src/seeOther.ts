import type { Reply } from "@trailbook/http/Reply"

/** Sends a browser on to another page of ours, with a GET. */
export const seeOther = (location: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 303,
  body: null,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers }
})
