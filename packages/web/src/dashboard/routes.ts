import { orgExport } from "@trailbook/core/org"
import type { AnyRoute } from "@trailbook/http/Route"
import { collectPages } from "./kit/page.tsx"
import * as pages from "./pages.ts"
import type { DashboardRouter } from "./router.ts"

export { make as makeRouter } from "./router.ts"

/**
 * Creates the dashboard routes for signed-in staff members. Fixed path segments precede parameters, because the first
 * matching route wins.
 */
export const dashboardRoutes = ({ download, file, routes }: DashboardRouter): ReadonlyArray<AnyRoute> =>
  [
    ...collectPages(pages).flatMap(routes),
    download("/export", "export", orgExport, ({ org }, date) => `${org.slug}-${date}.json`, "staff"),
    file("/files/:id", "file")
  ].toSorted((a, b) => a.path.replaceAll(":", "~") < b.path.replaceAll(":", "~") ? -1 : 1)
