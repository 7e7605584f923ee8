import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

/**
 * The day, the week, and what departs.
 *
 * @category constructors
 */
export const todayRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path: "/dashboard", name: "dashboard.today" }, () => import("./TodayPage.tsx")),
  desk.page({ path: "/dashboard/calendar", name: "dashboard.calendar" }, () => import("../calendar/CalendarPage.tsx")),
  desk.page({ path: "/dashboard/manifest", name: "dashboard.manifest" }, () => import("../departures/DayPage.tsx")),
  desk.page(
    { path: "/dashboard/departures/:id", name: "dashboard.departure" },
    () => import("../departures/DeparturePage.tsx")
  ),
  desk.page(
    { path: "/dashboard/departures/:id/manifest", name: "dashboard.departureManifest" },
    () => import("../departures/ManifestPage.tsx")
  )
]
