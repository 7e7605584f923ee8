import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

/**
 * What guests and the outfitter write to each other.
 *
 * @category constructors
 */
export const inboxRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path: "/dashboard/inbox", name: "dashboard.inbox" }, () => import("./InboxPage.tsx")),
  ...desk.form({ path: "/dashboard/inbox/saved", name: "dashboard.savedReplies" }, () => import("./SavedPage.tsx")),
  ...desk.form(
    { path: "/dashboard/inbox/saved/:id", name: "dashboard.savedReply" },
    () => import("./SavedReplyPage.tsx")
  ),
  ...desk.form(
    { path: "/dashboard/inbox/saved/:id/delete", name: "dashboard.deleteReply" },
    () => import("./DeleteReplyPage.tsx")
  ),
  ...desk.upload({ path: "/dashboard/inbox/new", name: "dashboard.write" }, () => import("./NewPage.tsx")),
  ...desk.upload({ path: "/dashboard/inbox/:id", name: "dashboard.thread" }, () => import("./ThreadPage.tsx")),
  ...desk.form(
    { path: "/dashboard/inbox/:id/erase", name: "dashboard.eraseQuestion" },
    () => import("./ErasePage.tsx")
  ),
  ...desk.form({ path: "/dashboard/broadcast", name: "dashboard.broadcast" }, () => import("./BroadcastPage.tsx")),
  desk.file({ path: "/dashboard/files/:id", name: "dashboard.file" })
]
