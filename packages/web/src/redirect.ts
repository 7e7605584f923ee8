import type { Reply } from "@trailbook/http/response/Reply"

/** Redirects after a POST, so that reloading the page does not submit the form again. */
export const redirectAfterPost = (address: string): Reply => ({
  status: 303,
  body: null,
  headers: { location: address }
})
