import type { Reply } from "@trailbook/http/Reply"

/** After a form: the browser asks for this page of ours, so that asking again sends nothing again. */
export const redirectAfterPost = (address: string): Reply => ({
  status: 303,
  body: null,
  headers: { location: address }
})
