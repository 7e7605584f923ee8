import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

/**
 * Who has booked, and who may.
 *
 * @category constructors
 */
export const guestsRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path: "/dashboard/guests", name: "dashboard.guests" }, () => import("./GuestsPage.tsx")),
  ...desk.form({ path: "/dashboard/guests/new", name: "dashboard.newGuest" }, () => import("./NewPage.tsx")),
  ...desk.form({ path: "/dashboard/guests/:id", name: "dashboard.guest" }, () => import("./GuestPage.tsx")),
  ...desk.form({ path: "/dashboard/guests/:id/erase", name: "dashboard.eraseGuest" }, () => import("./ErasePage.tsx"))
]
