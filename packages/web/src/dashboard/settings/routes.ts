import type { AnyRoute } from "@trailbook/http/Route"
import type { Desk } from "../Desk.ts"

const scope = "admin"

/**
 * How the outfitter as a whole is set up.
 *
 * @category constructors
 */
export const settingsRoutes = (desk: Desk): ReadonlyArray<AnyRoute> => [
  ...desk.form({ path: "/dashboard/settings", name: "dashboard.settings", scope }, () => import("./SettingsPage.tsx")),
  ...desk.form({ path: "/dashboard/settings/zone", name: "dashboard.zone", scope }, () => import("./ZonePage.tsx")),
  ...desk.form(
    { path: "/dashboard/settings/currency", name: "dashboard.currency", scope },
    () => import("./CurrencyPage.tsx")
  )
]
