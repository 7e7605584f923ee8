import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

/**
 * What guests can book, and when.
 *
 * @category constructors
 */
export const offeringRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path: "/dashboard/offerings", name: "dashboard.offerings" }, () => import("./OfferingsPage.tsx")),
  ...desk.form(
    { path: "/dashboard/offerings/new", name: "dashboard.newOffering" },
    () => import("./NewOfferingPage.tsx")
  ),
  ...desk.form({ path: "/dashboard/offerings/:id", name: "dashboard.offering" }, () => import("./OfferingPage.tsx")),
  desk.action({ path: "/dashboard/offerings/:id/pause", name: "dashboard.pause" }, () => import("./pause.ts")),
  ...desk.form({ path: "/dashboard/offerings/:id/hours", name: "dashboard.hours" }, () => import("./HoursPage.tsx")),
  ...desk.form(
    { path: "/dashboard/offerings/:id/delete", name: "dashboard.deleteOffering" },
    () => import("./DeletePage.tsx")
  ),
  desk.page(
    { path: "/dashboard/offerings/:id/sessions", name: "dashboard.sessions" },
    () => import("./SessionsPage.tsx")
  ),
  ...desk.form(
    { path: "/dashboard/offerings/:id/sessions/new", name: "dashboard.newSessions" },
    () => import("./NewSessionsPage.tsx")
  ),
  ...desk.form(
    { path: "/dashboard/offerings/:id/sessions/:session/cancel", name: "dashboard.cancelSession" },
    () => import("./CancelSessionPage.tsx")
  )
]
