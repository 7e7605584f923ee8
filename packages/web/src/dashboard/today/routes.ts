import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

/**
 * @category constructors
 */
export const todayRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path: "/dashboard", name: "dashboard.today" }, () => import("./TodayPage.tsx"))
]
