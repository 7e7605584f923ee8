import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

/**
 * What the ops agent proposes, and how much it may do.
 *
 * @category constructors
 */
export const agentRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  ...desk.form({ path: "/dashboard/proposals", name: "dashboard.proposals" }, () => import("./ProposalsPage.tsx")),
  desk.page(
    { path: "/dashboard/automations", name: "dashboard.automations" },
    () => import("../automations/AutomationsPage.tsx")
  ),
  ...desk.form(
    { path: "/dashboard/automations/:automation", name: "dashboard.automation", scope: "admin" },
    () => import("../automations/AutomationPage.tsx")
  )
]
