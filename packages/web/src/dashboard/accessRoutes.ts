import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "./Desk.ts"

const scope = "staff"

/**
 * Who and what opens the org.
 *
 * @category constructors
 */
export const accessRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page(
    { path: "/dashboard/applications", name: "dashboard.applications", scope },
    () => import("./applications/ApplicationsPage.tsx")
  ),
  desk.action(
    { path: "/dashboard/applications/:id/withdraw", name: "dashboard.withdraw", scope },
    () => import("./applications/withdraw.ts")
  ),
  desk.page({ path: "/dashboard/logins", name: "dashboard.logins", scope }, () => import("./logins/LoginsPage.tsx")),
  desk.action(
    { path: "/dashboard/logins/:id/end", name: "dashboard.endLogin", scope },
    () => import("./logins/end.ts")
  )
]
