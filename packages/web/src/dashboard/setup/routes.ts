import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

/**
 * From nothing to a first booking.
 *
 * @category constructors
 */
export const setupRoutes = (desk: Desk): ReadonlyArray<AnyRoute> =>
  desk.form({ path: "/dashboard/setup", name: "dashboard.setup" }, () => import("./SetupPage.tsx"))
