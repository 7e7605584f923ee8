import { orgExport } from "@trailbook/core/operation/orgOperations"
import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

const scope = "staff"

/**
 * What is paid for, how guests' money is taken, the export of everything, and what did not work.
 *
 * @category constructors
 */
export const billingRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  desk.page({ path: "/dashboard/billing", name: "dashboard.billing" }, () => import("./BillingPage.tsx")),
  desk.page({ path: "/dashboard/export", name: "dashboard.export", scope }, () => import("./ExportPage.tsx")),
  desk.download(
    { path: "/dashboard/export", name: "dashboard.export", scope },
    orgExport,
    ({ org }, date) => `${org.slug}-${date}.json`
  ),
  desk.page({ path: "/dashboard/payments", name: "dashboard.payments", scope }, () => import("./PaymentsPage.tsx")),
  ...desk.form(
    { path: "/dashboard/payments/connect", name: "dashboard.connectPayments", scope },
    () => import("./ConnectPage.tsx")
  ),
  ...desk.form(
    { path: "/dashboard/payments/disconnect", name: "dashboard.disconnectPayments", scope },
    () => import("./DisconnectPage.tsx")
  ),
  desk.page({ path: "/dashboard/tasks", name: "dashboard.tasks", scope }, () => import("./TasksPage.tsx")),
  desk.action({ path: "/dashboard/tasks/:id/retry", name: "dashboard.retryTask", scope }, () => import("./retry.ts"))
]
