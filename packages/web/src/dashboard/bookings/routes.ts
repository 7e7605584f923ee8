import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

const one = "/dashboard/bookings/:id"

/**
 * @category constructors
 */
export const bookingRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path: "/dashboard/bookings", name: "dashboard.bookings" }, () => import("./BookingsPage.tsx")),
  ...desk.form({ path: "/dashboard/bookings/new", name: "dashboard.newBooking" }, () => import("./NewPage.tsx")),
  desk.page({ path: one, name: "dashboard.booking" }, () => import("./BookingPage.tsx")),
  ...desk.form({ path: `${one}/confirm`, name: "dashboard.confirm" }, () => import("./ConfirmPage.tsx")),
  ...desk.form({ path: `${one}/move`, name: "dashboard.move" }, () => import("./MovePage.tsx")),
  ...desk.form({ path: `${one}/cancel`, name: "dashboard.cancel" }, () => import("./CancelPage.tsx")),
  desk.action({ path: `${one}/resend`, name: "dashboard.resend" }, () => import("./resend.ts"))
]
